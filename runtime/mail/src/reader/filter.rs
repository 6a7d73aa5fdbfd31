//! The filter of a reader's connection: a TEMP table of the accounts in reach, TEMP views of the plain names over
//! the `*_row` tables, and the authorizer that leaves no other way to them.
//!
//! SQLite names the view through which a column is read, but a common table expression of the same name looks just
//! like it. So the views that touch base tables have a name that nobody can guess, drawn for each connection, and the
//! plain names stand on them. `query_only` stays unset: it forbids temporary objects.

use std::cell::Cell;

use oaken_core::{Error, Result};
use oaken_gate::Reach;
use oaken_store::OrFault;
use oaken_store::rusqlite::Connection;
use oaken_store::rusqlite::hooks::{AuthAction, AuthContext, Authorization};

/// Each view: its name, and what it selects. Each names a column of its table besides the row id in its `WHERE`, and
/// joins nothing: SQLite asks about a table of which only the row id is used as if no view stood before it. The unary
/// plus keeps the planner from driving a query by the reach: the
/// account is asked for by each query, or found by an id.
const VIEWS: &[(&str, &str)] = &[
    (
        "account",
        "SELECT a.row, a.id, (SELECT w.name FROM main.workspace_row w WHERE w.row = a.workspace) AS workspace,
            a.name, a.address, a.kind, a.state, a.reason, a.since, a.last_success, a.next_try, a.complete_back_to
         FROM main.account_row a WHERE a.kind <> '' AND a.row IN (SELECT account FROM temp.reach)",
    ),
    (
        "folder",
        "SELECT row, id, account, name, wire_name, special_use, selectable, personal, total, unread, flagged,
            uid_validity, complete_back_to, state, reason, since, last_success
         FROM main.folder_row WHERE +account IN (SELECT account FROM temp.reach)",
    ),
    (
        "thread",
        "SELECT row, id, account, merged_into, messages, latest, latest_inbox, latest_unread, latest_flagged,
            latest_sent
         FROM main.thread_row WHERE +account IN (SELECT account FROM temp.reach)",
    ),
    // What lies somewhere. A message whose last place is gone is in `message_once` only; it is neither unread nor
    // flagged, so those can be counted there, in an index alone.
    (
        "message",
        "SELECT row, id, account, thread, content_hash, sent, received, subject, from_name, from_addr, is_list,
            automatic, attachments, size, snippet, text_state, in_inbox, in_sent, unread, flagged, answered
         FROM main.message_row
         WHERE vanished_at IS NULL AND +account IN (SELECT account FROM temp.reach)",
    ),
    (
        "message_once",
        "SELECT row, id, account, content_hash, received, unread, flagged
         FROM main.message_row WHERE +account IN (SELECT account FROM temp.reach)",
    ),
    (
        "body",
        "SELECT message, account, text, facts
         FROM main.body_row WHERE +account IN (SELECT account FROM temp.reach)",
    ),
    (
        "location",
        "SELECT row, account, message, folder, uid, modseq, flags, received, name, file
         FROM main.location_row WHERE +account IN (SELECT account FROM temp.reach)",
    ),
    (
        "label",
        "SELECT row, id, account, name, total
         FROM main.label_row WHERE +account IN (SELECT account FROM temp.reach)",
    ),
    (
        "location_label",
        "SELECT location, label, account, received
         FROM main.location_label_row WHERE +account IN (SELECT account FROM temp.reach)",
    ),
    (
        "attachment",
        "SELECT row, id, account, message, part, name, media_type, size, inline
         FROM main.attachment_row WHERE +account IN (SELECT account FROM temp.reach)",
    ),
    (
        "sync_issue",
        "SELECT row, account, reason, name
         FROM main.sync_issue_row WHERE +account IN (SELECT account FROM temp.reach)",
    ),
    // An entry is in reach where all it changed is.
    (
        "journal_entry",
        "SELECT e.row, e.id, e.agent FROM main.journal_entry_row e
         WHERE NOT EXISTS (SELECT 1 FROM main.journal_change_row c WHERE c.entry = e.row
            AND c.account NOT IN (SELECT account FROM temp.reach))",
    ),
];

thread_local! {
    /// Set while this thread changes a connection's reach, and by nothing else.
    static FILLING: Cell<bool> = const { Cell::new(false) };
}

struct Filling;

impl Filling {
    fn begin() -> Self {
        FILLING.set(true);
        Filling
    }
}

impl Drop for Filling {
    fn drop(&mut self) {
        FILLING.set(false);
    }
}

/// Sets the reach of a connection, which is given its views and its authorizer the first time.
pub(super) fn restrict(c: &Connection, reach: &Reach) -> Result<()> {
    if c.prepare_cached("SELECT account FROM temp.reach").is_err() {
        set_up(c)?;
    }
    let _filling = Filling::begin();
    let run = |sql: &str, account: Option<i64>| {
        let mut statement = c.prepare_cached(sql).or_fault()?;
        match account {
            Some(row) => statement.execute([row]),
            None => statement.execute([]),
        }
        .or_fault()
    };
    run("DELETE FROM temp.reach", None)?;
    match reach {
        Reach::All => {
            run(
                "INSERT INTO temp.reach (account) SELECT row FROM main.account_row",
                None,
            )?;
        }
        Reach::Only(rows) => {
            for row in rows {
                run(
                    "INSERT OR IGNORE INTO temp.reach (account) VALUES (?1)",
                    Some(*row),
                )?;
            }
        }
    }
    Ok(())
}

fn set_up(c: &Connection) -> Result<()> {
    let mut random = [0u8; 8];
    getrandom::fill(&mut random).map_err(|_| Error::internal())?;
    let inner = random
        .iter()
        .fold(String::from("_of_"), |name, b| format!("{name}{b:02x}"));
    let mut ddl = String::from("CREATE TEMP TABLE reach (account INTEGER PRIMARY KEY);");
    for (name, select) in VIEWS {
        ddl.push_str(&format!(
            "CREATE TEMP VIEW {name}{inner} AS {select}; CREATE TEMP VIEW {name} AS SELECT * FROM {name}{inner};"
        ));
    }
    c.execute_batch(&ddl).or_fault()?;
    c.authorizer(Some(move |asked: AuthContext<'_>| judge(&asked, &inner)))
        .or_fault()
}

fn judge(asked: &AuthContext<'_>, inner: &str) -> Authorization {
    if FILLING.get() {
        return Authorization::Allow;
    }
    let allowed = match asked.action {
        AuthAction::Select | AuthAction::Recursive | AuthAction::Transaction { .. } => true,
        AuthAction::Function { function_name } => function_name != "load_extension",
        AuthAction::Pragma {
            pragma_name,
            pragma_value,
        } => pragma_name == "data_version" && pragma_value.is_none(),
        AuthAction::Read { table_name, .. } if table_name.ends_with("_row") => {
            asked.accessor.is_some_and(|view| view.ends_with(inner))
        }
        AuthAction::Read { table_name, .. } => {
            table_name == "reach"
                || table_name == "json_each"
                || table_name.ends_with(inner)
                || VIEWS.iter().any(|(name, _)| *name == table_name)
        }
        _ => false,
    };
    if allowed {
        Authorization::Allow
    } else {
        Authorization::Deny
    }
}
