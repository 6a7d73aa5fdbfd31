//! The operations that the tests call, and a gate over them.

use oaken_core::model::{NOT_CHANGED, NotChanged};
use oaken_core::{
    Answer, Approval, Bound, Ceiling, Class, Cli, Confirmation, Descriptor, EntryId, Field, IdKind, Mcp,
    McpResult, MessageId, Preview, Result, Selection, Shape,
};
use oaken_gate::{Applied, Changes, Gate, Input, MarksRead};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::changes::{Changed, Edit, flags, seen};
use crate::handler::{self, Cx, Mutate, Operation, Read, ReadCx};
use crate::journal;
use crate::reader::Target;
use crate::sync::tests::Mail;

#[derive(Deserialize)]
struct Targets {
    target: Selection,
}

#[derive(Serialize)]
struct Marked {
    marked: Vec<MessageId>,
    not_changed: Vec<NotChanged>,
}

const BOUND: Bound = Bound {
    setting: "max_batch_ids",
    ceiling: 1000,
};
const TARGET: Field = Field {
    name: "target",
    doc: "The messages.",
    shape: Shape::Selection,
    required: true,
    default: None,
};
const MARKED: &[Field] = &[
    Field {
        name: "marked",
        doc: "",
        shape: Shape::List {
            item: &Shape::Id(IdKind::Message),
            bound: BOUND,
        },
        required: true,
        default: None,
    },
    Field {
        name: "not_changed",
        doc: "",
        shape: Shape::List {
            item: &Shape::Model(&NOT_CHANGED),
            bound: BOUND,
        },
        required: true,
        default: None,
    },
];

const fn descriptor(name: &'static str, class: Class, marks_read: bool) -> Descriptor {
    Descriptor {
        name,
        area: "messages",
        title: "",
        summary: "",
        description: "",
        class,
        ceiling: Ceiling::Off,
        marks_read,
        preview: true,
        destroys: false,
        approval: Approval::Agent,
        presence: None,
        schedulable: false,
        undo: Some("undo"),
        mcp: Mcp {
            tool: name,
            action: None,
            result: McpResult::Structured,
        },
        cli: Cli {
            path: &[],
            positional: &[],
            only: false,
        },
        input: &[TARGET],
        output: MARKED,
        examples: &[],
        digest: name,
    }
}

macro_rules! change {
    ($op:ident, $name:literal, $effect:ty, $marks:literal, $preview:expr, $apply:expr) => {
        struct $op;
        impl Operation for $op {
            type Input = Targets;
            type Output = Marked;
            const DESCRIPTOR: &'static Descriptor = &descriptor($name, Class::Mutate, $marks);
        }
        impl Mutate for $op {
            type Effect = $effect;
            type Plan = Vec<Target>;
            async fn preview(cx: &ReadCx, input: &Targets) -> Result<(Preview, Vec<Target>)> {
                let targets = cx.mail.targets(&input.target.ids)?;
                Ok(($preview(&targets), targets))
            }
            async fn apply(cx: &Cx<$effect>, targets: &Vec<Target>) -> Result<Applied<Marked>> {
                let Changed {
                    changed,
                    not_changed,
                    commit,
                } = $apply(cx, targets).await?;
                Ok(Applied {
                    output: Marked {
                        marked: changed,
                        not_changed,
                    },
                    commit,
                })
            }
        }
    };
}
change!(
    MarkRead,
    "mark_read",
    MarksRead,
    true,
    seen::preview_add,
    seen::add
);
change!(
    MarkUnread,
    "mark_unread",
    Changes,
    false,
    |t: &[Target]| flags::preview(t, Edit::RemoveSeen),
    async |cx, t: &Vec<Target>| flags::apply(cx, t, Edit::RemoveSeen).await
);
change!(
    Flag,
    "flag_messages",
    Changes,
    false,
    |t: &[Target]| flags::preview(t, Edit::AddFlagged),
    async |cx, t: &Vec<Target>| flags::apply(cx, t, Edit::AddFlagged).await
);

/// What an undo would do, as a read.
struct Look;
#[derive(Deserialize)]
struct Entries {
    entry_ids: Vec<EntryId>,
}
#[derive(Serialize)]
struct Lines {
    lines: Vec<String>,
}
static LOOK: Descriptor = Descriptor {
    input: &[Field {
        name: "entry_ids",
        doc: "",
        shape: Shape::List {
            item: &Shape::Id(IdKind::Entry),
            bound: BOUND,
        },
        required: true,
        default: None,
    }],
    output: &[Field {
        name: "lines",
        doc: "",
        shape: Shape::List {
            item: &Shape::String {
                min_chars: 0,
                max_chars: 400,
            },
            bound: BOUND,
        },
        required: true,
        default: None,
    }],
    ..descriptor("look", Class::Read, false)
};
impl Operation for Look {
    type Input = Entries;
    type Output = Lines;
    const DESCRIPTOR: &'static Descriptor = &LOOK;
}
impl Read for Look {
    async fn run(cx: &ReadCx, input: &Entries) -> Result<Lines> {
        let line = |u: journal::Undoable| {
            format!(
                "{} {} left {} stale {}",
                u.mark.word(),
                u.set_to,
                u.as_left.len(),
                u.stale.len()
            )
        };
        Ok(Lines {
            lines: journal::undoable(cx, &input.entry_ids)?
                .into_iter()
                .map(line)
                .collect(),
        })
    }
}

pub(crate) struct Called {
    pub mail: Mail,
    gate: Gate,
    runtime: tokio::runtime::Runtime,
}

impl Called {
    pub fn over(mail: Mail) -> Called {
        let s = &mail.services;
        let entries = vec![
            handler::marks_read::<MarkRead>(s),
            handler::mutate::<MarkUnread>(s),
            handler::mutate::<Flag>(s),
            handler::read::<Look>(s),
        ];
        let gate = Gate::new(mail.services.governance().clone(), entries).expect("a gate");
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        Called {
            mail,
            gate,
            runtime: runtime.expect("a runtime"),
        }
    }

    pub fn call(&self, operation: &str, input: Value, yes: Confirmation) -> Result<(Value, Option<EntryId>)> {
        let person = self.gate.person_cli().expect("a person");
        match self
            .runtime
            .block_on(self.gate.call(&person, operation, Input::Value(input), yes))?
        {
            Answer::Done { output, entry, .. } => Ok((output, entry)),
            Answer::Proposed(_) => unreachable!("a person is not proposed to"),
        }
    }

    pub fn change(&self, operation: &str, ids: &[&str]) -> (Value, Option<EntryId>) {
        self.call(operation, json!({"target": {"ids": ids}}), Confirmation::Yes)
            .expect("changed")
    }

    pub fn look(&self, entry: &EntryId) -> Value {
        self.call("look", json!({"entry_ids": [entry.as_str()]}), Confirmation::None)
            .expect("looked")
            .0["lines"][0]
            .clone()
    }

    pub fn journal(&self) -> Vec<String> {
        self.mail.rows(
            "SELECT e.operation, e.state, c.what, c.before, c.after, c.outcome FROM journal_entry_row e
             LEFT JOIN journal_change_row c ON c.entry = e.row ORDER BY e.row, c.row",
        )
    }
}
