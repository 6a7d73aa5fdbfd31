//! What the gate asks before there is a grant.

use oaken_core::AccountId;
use oaken_gate::Directory;

use super::fixture::Mail;
use crate::MailDirectory;

#[test]
fn accounts_are_found_by_workspace_and_a_name_that_is_none_matches_nothing() {
    let mail = Mail::new();
    let (_, b) = mail.account("b", "default");
    let (_, a) = mail.account("a", "default");
    let (home, h) = mail.account("c", "home");
    let directory = MailDirectory::new(mail.store.clone());
    let ids = |workspaces: &[&str]| -> Vec<AccountId> {
        let names: Vec<String> = workspaces.iter().map(|w| (*w).to_owned()).collect();
        let keys = directory.accounts_in(&names).expect("asked");
        keys.into_iter().map(|k| k.id).collect()
    };
    assert_eq!(ids(&["default"]), [a.clone(), b.clone()]);
    assert_eq!(ids(&["home", "nowhere"]), std::slice::from_ref(&h));
    assert_eq!(ids(&["nowhere"]), []);
    assert_eq!(ids(&["' OR 1 = 1 --", "Default"]), []);
    assert_eq!(ids(&[]), []);
    let all = directory.all_accounts().expect("asked");
    assert_eq!(all.iter().map(|k| &k.id).collect::<Vec<_>>(), [&a, &b, &h]);
    assert_eq!(all[2].row, home);
    assert_eq!(directory.workspaces().expect("asked"), ["default", "home"]);
}
