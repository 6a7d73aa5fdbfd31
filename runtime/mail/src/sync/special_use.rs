//! What a folder is for: as the server says (RFC 6154), else by the names that mail programs give such folders.
//!
//! A name counts only at the top, or right under INBOX or a provider's own root, and for one folder of an account.

/// Uses and the names of their folders, in lower case; of several the first in this order has it.
const NAMES: &[(&str, &[&str])] = &[
    (
        "sent",
        &[
            "sent",
            "sent items",
            "sent messages",
            "sent mail",
            "gesendet",
            "gesendete elemente",
            "gesendete objekte",
            "envoyés",
            "messages envoyés",
            "éléments envoyés",
            "enviados",
            "elementos enviados",
            "posta inviata",
            "inviati",
            "verzonden",
            "verzonden items",
            "skickat",
            "sendt",
            "wysłane",
            "отправленные",
            "已发送",
            "已发送邮件",
            "送信済み",
            "送信済みメール",
            "보낸편지함",
        ],
    ),
    (
        "drafts",
        &[
            "drafts",
            "draft",
            "entwürfe",
            "brouillons",
            "borradores",
            "bozze",
            "rascunhos",
            "concepten",
            "utkast",
            "kladder",
            "szkice",
            "wersje robocze",
            "черновики",
            "草稿",
            "草稿箱",
            "下書き",
            "임시보관함",
        ],
    ),
    (
        "archive",
        &[
            "archive",
            "archives",
            "all archive",
            "archiv",
            "archivo",
            "archivio",
            "arquivo",
            "archief",
            "arkiv",
            "archiwum",
            "архив",
            "归档",
            "アーカイブ",
            "vieux courrier",
        ],
    ),
    (
        "trash",
        &[
            "trash",
            "deleted",
            "deleted items",
            "deleted messages",
            "bin",
            "papierkorb",
            "gelöschte elemente",
            "gelöschte objekte",
            "corbeille",
            "éléments supprimés",
            "papelera",
            "elementos eliminados",
            "cestino",
            "posta eliminata",
            "lixeira",
            "prullenbak",
            "verwijderde items",
            "papperskorg",
            "kosz",
            "корзина",
            "удаленные",
            "已删除",
            "已删除邮件",
            "ゴミ箱",
            "휴지통",
        ],
    ),
    (
        "junk",
        &[
            "junk",
            "spam",
            "junk mail",
            "junk e-mail",
            "junk email",
            "bulk mail",
            "werbung",
            "unerwünscht",
            "courrier indésirable",
            "pourriel",
            "correo no deseado",
            "posta indesiderata",
            "lixo eletrônico",
            "ongewenste e-mail",
            "skräppost",
            "спам",
            "垃圾邮件",
            "迷惑メール",
            "스팸메일함",
        ],
    ),
];

/// Roots below which a name counts like one at the top.
const ROOTS: &[&str] = &["inbox", "[gmail]", "[google mail]"];

/// A folder as far as its use is concerned.
pub(super) struct Named<'a> {
    /// Its name, levels parted by `/`.
    pub name: &'a str,
    /// What the server says.
    pub said: Option<&'static str>,
}

/// The use of each folder, in the same order.
pub(super) fn uses(folders: &[Named<'_>]) -> Vec<Option<&'static str>> {
    let mut uses: Vec<Option<&'static str>> = folders
        .iter()
        .map(|f| {
            if f.name.eq_ignore_ascii_case("inbox") {
                Some("inbox")
            } else {
                f.said
            }
        })
        .collect();
    for (word, names) in NAMES {
        if uses.contains(&Some(*word)) {
            continue;
        }
        let by_name = names.iter().find_map(|name| {
            folders
                .iter()
                .zip(&uses)
                .position(|(f, used)| used.is_none() && leaf(f.name).as_deref() == Some(*name))
        });
        if let Some(at) = by_name {
            uses[at] = Some(*word);
        }
    }
    uses
}

/// The last level in lower case, where it is at the top or right under a root.
fn leaf(name: &str) -> Option<String> {
    match name.rsplit_once('/') {
        None => Some(name.to_lowercase()),
        Some((above, leaf)) if ROOTS.contains(&above.to_lowercase().as_str()) => Some(leaf.to_lowercase()),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(folders: &[(&str, Option<&'static str>)], expected: &[Option<&str>]) {
        let named: Vec<Named<'_>> = folders
            .iter()
            .map(|(name, said)| Named { name, said: *said })
            .collect();
        assert_eq!(uses(&named), expected, "{folders:?}");
    }

    #[test]
    fn an_archive_is_found_by_special_use_and_by_name() {
        check(
            &[("INBOX", None), ("Vieux courrier", Some("archive"))],
            &[Some("inbox"), Some("archive")],
        );
        check(&[("Archives", None)], &[Some("archive")]);
        check(
            &[("Archiv", Some("archive")), ("Archive", None)],
            &[Some("archive"), None],
        );
        check(&[("Projects/Archive", None)], &[None]);
        check(
            &[("INBOX/Archive", None), ("inbox", None)],
            &[Some("archive"), Some("inbox")],
        );
    }

    #[test]
    fn each_use_has_one_folder_by_name() {
        check(&[("Sent Items", None), ("Sent", None)], &[None, Some("sent")]);
        check(
            &[("Gesendet", None), ("Entwürfe", None), ("Papierkorb", None)],
            &[Some("sent"), Some("drafts"), Some("trash")],
        );
        check(
            &[("送信済み", None), ("SPAM", None)],
            &[Some("sent"), Some("junk")],
        );
    }
}
