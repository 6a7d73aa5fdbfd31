//! The configuration of a Dovecot that runs wholly as one unprivileged user, in one directory.

use std::fmt::Write as _;
use std::path::Path;

/// Extra fields of a user. Special uses are set per user; an empty override of the namespace would be read as "yes".
pub(super) fn mailboxes(user: &str) -> String {
    let english = [
        ("Sent", "Sent"),
        ("Drafts", "Drafts"),
        ("Archive", "Archive"),
        ("Trash", "Trash"),
        ("Junk", "Junk"),
    ];
    let german = [
        ("Gesendet", "Sent"),
        ("Entwürfe", "Drafts"),
        ("Archiv", "Archive"),
        ("Papierkorb", "Trash"),
        ("Spam", "Junk"),
    ];
    let list: &[(&str, &str)] = match user {
        "gerda" => &german,
        "norma" => &[],
        _ => &english,
    };
    let mut fields = String::new();
    if !list.is_empty() {
        let names: Vec<&str> = list.iter().map(|(name, _)| *name).collect();
        fields = format!("userdb_namespace/inbox/mailbox={}", names.join(","));
    }
    for (name, special) in list {
        let key = format!("userdb_namespace/inbox/mailbox/{name}");
        let _ = write!(
            fields,
            " {key}/name={name} {key}/auto=subscribe {key}/special_use=\\{special}"
        );
    }
    if user == "sdb" {
        fields.push_str(" userdb_mail=sdbox:~/sdbox");
    }
    fields
}

pub(super) fn configuration(dir: &Path, (imap, imaps): (u16, u16), user: &str, group: &str) -> String {
    let d = dir.display();
    format!(
        r#"base_dir = {d}/run
state_dir = {d}/run
log_path = {d}/log/dovecot.log
auth_verbose = yes
instance_name = oaken{imap}
protocols = imap
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
first_valid_gid = 1
mail_uid = {user}
mail_gid = {group}
mail_home = {d}/mail/%n
mail_location = maildir:~/Maildir:LAYOUT=fs
mail_fsync = never
mail_max_userip_connections = 100
ssl = yes
ssl_cert = <{d}/etc/cert.pem
ssl_key = <{d}/etc/key.pem
ssl_dh =
disable_plaintext_auth = yes
auth_mechanisms = plain login
auth_username_format = %Lu
auth_failure_delay = 0
passdb {{
  driver = passwd-file
  args = {d}/etc/users
}}
userdb {{
  driver = passwd-file
  args = {d}/etc/users
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service imap {{
  process_limit = 100
}}
protocol imap {{
  rawlog_dir = {d}/rawlog
}}
"#
    )
}
