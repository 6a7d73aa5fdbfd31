//! The settings' specs until the generated ones of oaken-core are there.

/// One setting.
#[derive(Debug)]
pub(crate) struct SettingSpec {
    pub section: &'static str,
    pub name: &'static str,
    pub key: &'static str,
    pub doc: &'static str,
    pub kind: SettingKind,
    pub default: &'static str,
    pub agent: Option<&'static str>,
}

/// What a setting may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code)]
pub(crate) enum SettingKind {
    Integer { min: i64, max: i64 },
    Boolean,
    String,
    Enum(&'static [&'static str]),
    List,
}

/// The setting of a key.
pub(crate) fn find(key: &str) -> Option<&'static SettingSpec> {
    SETTINGS.iter().find(|s| s.key == key)
}

/// The setting that bounds a list.
pub(crate) fn bound(name: &str) -> Option<&'static SettingSpec> {
    SETTINGS
        .iter()
        .find(|s| s.key == name || (s.section == "operations" && s.name == name))
}

pub(crate) static SETTINGS: &[SettingSpec] = &[
    SettingSpec {
        section: "cli",
        name: "presence",
        key: "cli.presence",
        doc: "What proves that a person is at the command line. Reserved: this version takes the operating system's account.",
        kind: SettingKind::Enum(&["os", "tty", "password"]),
        default: "\"os\"",
        agent: None,
    },
    SettingSpec {
        section: "general",
        name: "time_zone",
        key: "general.time_zone",
        doc: "The IANA time zone that status tells.",
        kind: SettingKind::String,
        default: "\"UTC\"",
        agent: None,
    },
    SettingSpec {
        section: "http",
        name: "public_url",
        key: "http.public_url",
        doc: "The URL under which clients reach Oaken, where it is not the listening address.",
        kind: SettingKind::String,
        default: "\"\"",
        agent: None,
    },
    SettingSpec {
        section: "http",
        name: "allowed_hosts",
        key: "http.allowed_hosts",
        doc: "Further values of the Host header that are served, with their port.",
        kind: SettingKind::List,
        default: "[]",
        agent: None,
    },
    SettingSpec {
        section: "mcp",
        name: "workspaces",
        key: "mcp.workspaces",
        doc: "Workspaces whose mail agents may reach. Empty means every workspace.",
        kind: SettingKind::List,
        default: "[\"default\"]",
        agent: None,
    },
    SettingSpec {
        section: "operations",
        name: "max_results",
        key: "operations.max_results",
        doc: "Rows in one listing.",
        kind: SettingKind::Integer { min: 1, max: 500 },
        default: "50",
        agent: Some("mcp_max_results"),
    },
    SettingSpec {
        section: "operations",
        name: "mcp_max_results",
        key: "operations.mcp_max_results",
        doc: "Rows in one listing, for an agent.",
        kind: SettingKind::Integer { min: 1, max: 500 },
        default: "20",
        agent: None,
    },
    SettingSpec {
        section: "operations",
        name: "max_chars",
        key: "operations.max_chars",
        doc: "Characters of mail text in one answer.",
        kind: SettingKind::Integer {
            min: 200,
            max: 1000000,
        },
        default: "20000",
        agent: Some("mcp_max_chars"),
    },
    SettingSpec {
        section: "operations",
        name: "mcp_max_chars",
        key: "operations.mcp_max_chars",
        doc: "Characters of mail text in one answer, for an agent.",
        kind: SettingKind::Integer {
            min: 200,
            max: 100000,
        },
        default: "8000",
        agent: None,
    },
    SettingSpec {
        section: "operations",
        name: "snippet_chars",
        key: "operations.snippet_chars",
        doc: "Characters of one snippet.",
        kind: SettingKind::Integer { min: 20, max: 400 },
        default: "240",
        agent: Some("mcp_gist_chars"),
    },
    SettingSpec {
        section: "operations",
        name: "mcp_gist_chars",
        key: "operations.mcp_gist_chars",
        doc: "Characters of one snippet, for an agent.",
        kind: SettingKind::Integer { min: 20, max: 400 },
        default: "100",
        agent: None,
    },
    SettingSpec {
        section: "operations",
        name: "max_batch_ids",
        key: "operations.max_batch_ids",
        doc: "Ids in one mark or undo.",
        kind: SettingKind::Integer { min: 1, max: 1000 },
        default: "200",
        agent: None,
    },
    SettingSpec {
        section: "operations",
        name: "max_read_ids",
        key: "operations.max_read_ids",
        doc: "Messages in one read_message call.",
        kind: SettingKind::Integer { min: 1, max: 50 },
        default: "5",
        agent: None,
    },
    SettingSpec {
        section: "operations",
        name: "max_raw_bytes",
        key: "operations.max_raw_bytes",
        doc: "Raw bytes in one answer.",
        kind: SettingKind::Integer {
            min: 1024,
            max: 26214400,
        },
        default: "262144",
        agent: None,
    },
    SettingSpec {
        section: "operations",
        name: "max_governed",
        key: "operations.max_governed",
        doc: "Rows in one listing of what governs: accounts, folders, agents, operations.",
        kind: SettingKind::Integer { min: 10, max: 1000 },
        default: "1000",
        agent: None,
    },
    SettingSpec {
        section: "operations",
        name: "confirm_ttl_seconds",
        key: "operations.confirm_ttl_seconds",
        doc: "Seconds that a proposal's token lasts.",
        kind: SettingKind::Integer { min: 10, max: 3600 },
        default: "120",
        agent: None,
    },
    SettingSpec {
        section: "operations",
        name: "max_pending_confirmations",
        key: "operations.max_pending_confirmations",
        doc: "Open proposals in all.",
        kind: SettingKind::Integer { min: 1, max: 10000 },
        default: "1000",
        agent: None,
    },
    SettingSpec {
        section: "operations",
        name: "max_pending_per_agent",
        key: "operations.max_pending_per_agent",
        doc: "Open proposals of one agent.",
        kind: SettingKind::Integer { min: 1, max: 1000 },
        default: "20",
        agent: None,
    },
    SettingSpec {
        section: "operations",
        name: "proposal_changes_shown",
        key: "operations.proposal_changes_shown",
        doc: "Changes listed in a proposal.",
        kind: SettingKind::Integer { min: 1, max: 1000 },
        default: "50",
        agent: None,
    },
    SettingSpec {
        section: "send",
        name: "enabled",
        key: "send.enabled",
        doc: "Whether a person may send. Reserved: this version refuses every send.",
        kind: SettingKind::Boolean,
        default: "false",
        agent: None,
    },
    SettingSpec {
        section: "sync",
        name: "stale_after_seconds",
        key: "sync.stale_after_seconds",
        doc: "Seconds after which an account's mail counts as stale.",
        kind: SettingKind::Integer { min: 10, max: 86400 },
        default: "300",
        agent: None,
    },
    SettingSpec {
        section: "sync",
        name: "max_text_bytes",
        key: "sync.max_text_bytes",
        doc: "Bytes of one message fetched for its text.",
        kind: SettingKind::Integer {
            min: 4096,
            max: 4194304,
        },
        default: "524288",
        agent: None,
    },
    SettingSpec {
        section: "sync",
        name: "command_seconds",
        key: "sync.command_seconds",
        doc: "Seconds that one command to a mail server may take.",
        kind: SettingKind::Integer { min: 5, max: 600 },
        default: "60",
        agent: None,
    },
];
