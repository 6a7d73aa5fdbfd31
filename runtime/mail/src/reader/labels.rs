//! The labels in use.

use oaken_core::model::Label;
use oaken_core::{AccountId, Error, LabelId, Result};
use oaken_store::OrFault;

use super::{Reader, coverage, shown};

impl Reader {
    /// The labels that some message carries, by account and name.
    ///
    /// # Errors
    /// `not_found` for an account that is not in reach.
    pub fn labels(&self, account: Option<&AccountId>) -> Result<Vec<Label>> {
        self.with(|c| {
            let mut labels = Vec::new();
            for account in coverage::accounts(c, account)? {
                let mut statement = c
                    .prepare_cached(
                        "SELECT l.id, l.name, (SELECT count(DISTINCT p.message) FROM location_label ll
                            CROSS JOIN location p ON p.row = ll.location WHERE ll.label = l.row)
                         FROM label l WHERE l.account = ?1 AND l.total > 0 ORDER BY l.name",
                    )
                    .or_fault()?;
                let mut rows = statement.query([account.row]).or_fault()?;
                while let Some(r) = rows.next().or_fault()? {
                    labels.push(Label {
                        label_id: LabelId::parse(&r.get::<_, String>(0).or_fault()?)
                            .ok_or_else(Error::internal)?,
                        account_id: account.id.clone(),
                        name: shown::line(&r.get::<_, String>(1).or_fault()?),
                        messages: r.get(2).or_fault()?,
                    });
                }
            }
            Ok(labels)
        })
    }
}
