//! The descriptors of the test world, declared by hand as codegen would declare them.

use oaken_core::{
    Approval, Bound, Ceiling, Class, Cli, Descriptor, Field, IdKind, Mcp, McpResult, Model, Shape,
};

const fn field(name: &'static str, shape: Shape, required: bool, default: Option<&'static str>) -> Field {
    Field {
        name,
        doc: "",
        shape,
        required,
        default,
    }
}

const fn list(item: &'static Shape, setting: &'static str) -> Shape {
    Shape::List {
        item,
        bound: Bound {
            setting,
            ceiling: 1000,
        },
    }
}

pub static MESSAGE_ID: Shape = Shape::Id(IdKind::Message);
pub static ENTRY_ID: Shape = Shape::Id(IdKind::Entry);
pub static WORD: Shape = Shape::String {
    min_chars: 0,
    max_chars: 8,
};
pub static ROW: Model = Model {
    name: "Row",
    fields: &[
        field("message_id", Shape::Id(IdKind::Message), true, None),
        field("subject", Shape::Text { max_chars: 12 }, true, None),
        field("text", Shape::Text { max_chars: 0 }, false, None),
        field("seen", Shape::Timestamp, false, None),
    ],
};
pub static ROWS: Shape = Shape::Model(&ROW);
/// A listing that goes on by a cursor.
pub static PAGE: Model = Model {
    name: "Page",
    fields: &[
        field("rows", list(&WORD, "max_results"), true, None),
        field(
            "next_cursor",
            Shape::String {
                min_chars: 0,
                max_chars: 8,
            },
            false,
            None,
        ),
    ],
};
pub static MARKED: &[Field] = &[field("marked", list(&MESSAGE_ID, "max_batch_ids"), true, None)];
pub static IDS: &[Field] = &[
    field("target", Shape::Selection, true, None),
    field(
        "note",
        Shape::String {
            min_chars: 0,
            max_chars: 40,
        },
        false,
        None,
    ),
];

const fn operation(
    name: &'static str,
    class: Class,
    ceiling: Ceiling,
    input: &'static [Field],
    output: &'static [Field],
) -> Descriptor {
    Descriptor {
        name,
        area: "things",
        title: name,
        summary: "",
        description: "",
        class,
        ceiling,
        marks_read: false,
        preview: true,
        destroys: false,
        approval: Approval::Agent,
        presence: None,
        schedulable: false,
        undo: None,
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
        input,
        output,
        examples: &[],
        digest: name,
    }
}

pub static LIST: Descriptor = operation(
    "list_things",
    Class::Read,
    Ceiling::On,
    &[
        field("account_id", Shape::Id(IdKind::Account), false, None),
        field("unread", Shape::Boolean, false, None),
        field("limit", Shape::Integer { min: 1, max: 100 }, false, Some("10")),
        field("since", Shape::Timestamp, false, None),
        field("view", Shape::Enum(&["inbox", "sent"]), false, Some("\"inbox\"")),
        field("words", list(&WORD, "max_read_ids"), false, None),
        field("from", Shape::Address, false, None),
        field("row", Shape::Model(&ROW), false, None),
    ],
    &[
        field("things", list(&ROWS, "max_results"), true, None),
        field("page", Shape::Model(&PAGE), false, None),
        field(
            "total",
            Shape::Integer {
                min: 0,
                max: i64::MAX,
            },
            true,
            None,
        ),
        field(
            "echo",
            Shape::String {
                min_chars: 0,
                max_chars: 4000,
            },
            false,
            None,
        ),
    ],
);
pub static READ: Descriptor = operation(
    "read_things",
    Class::Read,
    Ceiling::On,
    &[
        field("message_ids", list(&MESSAGE_ID, "max_read_ids"), true, None),
        field(
            "offset",
            Shape::Integer {
                min: 0,
                max: 1_000_000,
            },
            false,
            Some("0"),
        ),
    ],
    &[field("things", list(&ROWS, "max_read_ids"), true, None)],
);
pub static RAW: Descriptor = operation("raw_thing", Class::Read, Ceiling::Never, &[], &[]);
pub static MARK: Descriptor = Descriptor {
    marks_read: true,
    undo: Some("mark_unread"),
    ..operation("mark_read", Class::Mutate, Ceiling::Off, IDS, MARKED)
}
.checked();
pub static UNMARK: Descriptor = Descriptor {
    undo: Some("mark_read"),
    ..operation("mark_unread", Class::Mutate, Ceiling::Off, IDS, MARKED)
}
.checked();
pub static FLAG: Descriptor = operation("flag_things", Class::Mutate, Ceiling::Off, IDS, MARKED).checked();
pub static TRASH: Descriptor = Descriptor {
    approval: Approval::Person,
    ..operation("trash_things", Class::Mutate, Ceiling::On, IDS, MARKED)
}
.checked();
pub static UNDO: Descriptor = operation(
    "undo",
    Class::Mutate,
    Ceiling::Off,
    &[field("entry_ids", list(&ENTRY_ID, "max_batch_ids"), true, None)],
    &[
        field("marked", list(&MESSAGE_ID, "max_batch_ids"), true, None),
        field("asked", Shape::Integer { min: 0, max: 1000 }, true, None),
    ],
)
.checked();
pub static SEND: Descriptor = operation(
    "send_message",
    Class::Send,
    Ceiling::Never,
    &[
        field("to", Shape::Address, true, None),
        field("text", Shape::Text { max_chars: 2000 }, true, None),
    ],
    &[],
)
.checked();
pub static ADD_AGENT: Descriptor = Descriptor {
    preview: false,
    ..operation(
        "add_agent",
        Class::Mutate,
        Ceiling::Never,
        &[
            field(
                "name",
                Shape::String {
                    min_chars: 1,
                    max_chars: 64,
                },
                true,
                None,
            ),
            field("password", Shape::Secret, false, None),
        ],
        &[
            field("agent_id", Shape::Id(IdKind::Agent), true, None),
            field("token", Shape::IssuedSecret, true, None),
        ],
    )
}
.checked();
pub static CREATE_TOKEN: Descriptor = Descriptor {
    preview: false,
    ..operation(
        "create_token",
        Class::Mutate,
        Ceiling::Never,
        &[
            field(
                "name",
                Shape::String {
                    min_chars: 1,
                    max_chars: 64,
                },
                true,
                None,
            ),
            field("class", Shape::Enum(&["read", "change"]), false, Some("\"read\"")),
            field("days", Shape::Integer { min: 1, max: 3650 }, false, None),
        ],
        &[
            field("token_id", Shape::Id(IdKind::Token), true, None),
            field("token", Shape::IssuedSecret, true, None),
        ],
    )
}
.checked();
pub static REVOKE_AGENT: Descriptor = operation(
    "revoke_agent",
    Class::Mutate,
    Ceiling::Never,
    &[field("agent_id", Shape::Id(IdKind::Agent), true, None)],
    &[],
)
.checked();
pub static REVOKE_TOKEN: Descriptor = operation(
    "revoke_token",
    Class::Mutate,
    Ceiling::Never,
    &[field("token_id", Shape::Id(IdKind::Token), true, None)],
    &[],
)
.checked();
pub static EXPOSE: Descriptor = operation(
    "set_operation_exposure",
    Class::Mutate,
    Ceiling::Never,
    &[
        field(
            "operation",
            Shape::String {
                min_chars: 1,
                max_chars: 48,
            },
            true,
            None,
        ),
        field("exposure", Shape::Enum(&["on", "off", "default"]), true, None),
    ],
    &[field("offered", Shape::Boolean, true, None)],
)
.checked();
pub static SET: Descriptor = operation(
    "set_setting",
    Class::Mutate,
    Ceiling::Never,
    &[
        field(
            "name",
            Shape::String {
                min_chars: 1,
                max_chars: 80,
            },
            true,
            None,
        ),
        field(
            "value",
            Shape::String {
                min_chars: 0,
                max_chars: 2000,
            },
            false,
            None,
        ),
    ],
    &[field(
        "value",
        Shape::String {
            min_chars: 0,
            max_chars: 2000,
        },
        true,
        None,
    )],
)
.checked();
pub static PROPOSAL: Descriptor = operation(
    "get_proposal",
    Class::Read,
    Ceiling::On,
    &[field("proposal_id", Shape::Id(IdKind::Proposal), true, None)],
    &[field(
        "state",
        Shape::String {
            min_chars: 0,
            max_chars: 20,
        },
        true,
        None,
    )],
);
