//! Folders and their counts, as the triggers of the tables keep them: no message is touched.

use oaken_core::model::{Folder, FolderSpecialUse};
use oaken_core::{AccountId, Error, FolderId, Result};
use oaken_store::OrFault;

use super::{Reader, coverage, shown};

impl Reader {
    /// The folders that can hold mail, by account; what has a special use first.
    ///
    /// # Errors
    /// `not_found` for an account that is not in reach.
    pub fn folders(&self, account: Option<&AccountId>) -> Result<Vec<Folder>> {
        self.with(|c| {
            let mut folders = Vec::new();
            for account in coverage::accounts(c, account)? {
                let mut statement = c
                    .prepare_cached(
                        "SELECT id, name, special_use, total, unread, flagged FROM folder
                         WHERE account = ?1 AND selectable = 1
                         ORDER BY special_use IS NOT 'inbox', special_use IS NULL, name",
                    )
                    .or_fault()?;
                let mut rows = statement.query([account.row]).or_fault()?;
                while let Some(r) = rows.next().or_fault()? {
                    let special_use: Option<String> = r.get(2).or_fault()?;
                    folders.push(Folder {
                        folder_id: FolderId::parse(&r.get::<_, String>(0).or_fault()?)
                            .ok_or_else(Error::internal)?,
                        account_id: account.id.clone(),
                        name: shown::line(&r.get::<_, String>(1).or_fault()?),
                        special_use: special_use.as_deref().and_then(FolderSpecialUse::from_word),
                        total: r.get(3).or_fault()?,
                        unread: r.get(4).or_fault()?,
                        flagged: r.get(5).or_fault()?,
                    });
                }
            }
            Ok(folders)
        })
    }
}
