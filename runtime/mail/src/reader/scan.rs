//! One ordered scan of one source (an account, a folder, a label), and the merge of several.
//!
//! A list over several accounts in one statement would be sorted whole by SQLite; here each account is scanned in the
//! order of its index, no further than one page, and the pages are merged.

use oaken_core::Result;
use oaken_store::OrFault;
use oaken_store::rusqlite::types::Value;
use oaken_store::rusqlite::{Connection, params_from_iter};

/// Where a row stands in a list: by time, then by its number, both falling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub time: i64,
    pub row: i64,
    /// The flags of the place, where the list is of one folder.
    pub flags: Option<i64>,
}

/// A source in its order: `FROM … WHERE …` with the parameters it names.
pub(super) struct Scan {
    body: String,
    params: Vec<Value>,
    time: &'static str,
    row: &'static str,
    flags: &'static str,
    counted: Option<i64>,
}

impl Scan {
    /// Over `body`, which ends in a `WHERE`; `time` and `row` are the columns of its order.
    pub(super) fn new(body: &str, params: Vec<Value>, time: &'static str, row: &'static str) -> Scan {
        Scan {
            body: body.to_owned(),
            params,
            time,
            row,
            flags: "NULL",
            counted: None,
        }
    }

    /// With a total that somebody keeps, where the conditions so far are all.
    pub(super) fn counted(mut self, total: Option<i64>) -> Scan {
        self.counted = total;
        self
    }

    /// Reads the flags of the place along.
    pub(super) fn with_flags(mut self, column: &'static str) -> Scan {
        self.flags = column;
        self
    }

    /// Adds a condition without a parameter.
    pub(super) fn and(mut self, condition: &str) -> Scan {
        self.counted = None;
        self.body.push_str(" AND ");
        self.body.push_str(condition);
        self
    }

    /// Adds a condition that ends in its parameter: `m.row =`.
    pub(super) fn and_value(mut self, condition: &str, value: i64) -> Scan {
        self.counted = None;
        self.params.push(Value::Integer(value));
        let number = self.params.len();
        self.body.push_str(&format!(" AND {condition} ?{number}"));
        self
    }

    /// Closes the parenthesis that the last condition opened.
    pub(super) fn closed(mut self) -> Scan {
        self.body.push(')');
        self
    }

    /// Keeps to a range of time.
    pub(super) fn between(mut self, since: Option<i64>, before: Option<i64>) -> Scan {
        let time = self.time;
        if let Some(since) = since {
            self = self.and_value(&format!("{time} >="), since);
        }
        if let Some(before) = before {
            self = self.and_value(&format!("{time} <"), before);
        }
        self
    }

    /// The statement of one page and its parameters.
    pub(super) fn page_sql(&self, after: Option<Key>, limit: usize) -> (String, Vec<Value>) {
        let Scan {
            body,
            time,
            row,
            flags,
            ..
        } = self;
        let mut params = self.params.clone();
        let mut sql = format!("SELECT {time}, {row}, {flags} {body}");
        if let Some(after) = after {
            params.push(Value::Integer(after.time));
            params.push(Value::Integer(after.row));
            let n = params.len();
            sql.push_str(&format!(" AND ({time}, {row}) < (?{}, ?{n})", n - 1));
        }
        params.push(Value::Integer(i64::try_from(limit).unwrap_or(i64::MAX)));
        sql.push_str(&format!(
            " ORDER BY {time} DESC, {row} DESC LIMIT ?{}",
            params.len()
        ));
        (sql, params)
    }

    /// The statement that counts it.
    pub(super) fn count_sql(&self) -> String {
        format!("SELECT count(*) {}", self.body)
    }

    /// How many rows it has.
    fn count(&self, c: &Connection) -> Result<i64> {
        if let Some(total) = self.counted {
            return Ok(total);
        }
        c.prepare_cached(&self.count_sql())
            .or_fault()?
            .query_row(params_from_iter(&self.params), |r| r.get(0))
            .or_fault()
    }

    fn page(&self, c: &Connection, after: Option<Key>, limit: usize) -> Result<Vec<Key>> {
        let (sql, params) = self.page_sql(after, limit);
        let mut statement = c.prepare_cached(&sql).or_fault()?;
        let rows = statement
            .query_map(params_from_iter(&params), |r| {
                Ok(Key {
                    time: r.get(0)?,
                    row: r.get(1)?,
                    flags: r.get(2)?,
                })
            })
            .or_fault()?;
        rows.collect::<oaken_store::rusqlite::Result<Vec<_>>>().or_fault()
    }

    /// The page and the total of the rows whose sender's name or address has `part` in it, in any case. SQL folds
    /// only ASCII, so the rows are compared here, in one pass.
    fn page_from(
        &self,
        c: &Connection,
        part: &str,
        after: Option<Key>,
        limit: usize,
    ) -> Result<(Vec<Key>, i64)> {
        let Scan {
            body,
            time,
            row,
            flags,
            ..
        } = self;
        let sql = format!(
            "SELECT {time}, {row}, {flags}, m.from_name, m.from_addr {body} ORDER BY {time} DESC, {row} DESC"
        );
        let part = part.to_lowercase();
        let mut statement = c.prepare_cached(&sql).or_fault()?;
        let mut rows = statement.query(params_from_iter(&self.params)).or_fault()?;
        let (mut page, mut total) = (Vec::new(), 0);
        while let Some(r) = rows.next().or_fault()? {
            let text = |n: usize| {
                r.get_ref(n)
                    .map(|v| v.as_str().unwrap_or_default().to_lowercase())
            };
            if !text(3).or_fault()?.contains(&part) && !text(4).or_fault()?.contains(&part) {
                continue;
            }
            total += 1;
            let key = Key {
                time: r.get(0).or_fault()?,
                row: r.get(1).or_fault()?,
                flags: r.get(2).or_fault()?,
            };
            if page.len() < limit && after.is_none_or(|a| (key.time, key.row) < (a.time, a.row)) {
                page.push(key);
            }
        }
        Ok((page, total))
    }
}

/// What a merge found: the rows of one page, whether there are more, and the total.
pub(super) struct Merged {
    pub page: Vec<Key>,
    pub more: bool,
    pub total: i64,
}

/// One page of several sources, newest first.
pub(super) fn merge(
    c: &Connection,
    scans: &[Scan],
    from: Option<&str>,
    after: Option<Key>,
    limit: usize,
) -> Result<Merged> {
    let (mut page, mut total) = (Vec::new(), 0);
    for scan in scans {
        match from {
            Some(part) => {
                let (keys, matching) = scan.page_from(c, part, after, limit + 1)?;
                page.extend(keys);
                total += matching;
            }
            None => {
                page.extend(scan.page(c, after, limit + 1)?);
                total += scan.count(c)?;
            }
        }
    }
    page.sort_unstable_by(|a, b| b.cmp(a));
    let more = page.len() > limit;
    page.truncate(limit);
    Ok(Merged { page, more, total })
}
