-- The tables of oaken-mail. Every row of mail carries its account; every list has an index that is its order.
-- What has no key to its account goes with its message, so that removing an account scans no table.
-- Times are seconds since 1970. Base tables end in _row: agents' readers see views of the plain names only.

CREATE TABLE workspace_row (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    created INTEGER NOT NULL
) STRICT;
INSERT INTO workspace_row (name, created) VALUES ('default', unixepoch());

-- AUTOINCREMENT: a number is never given twice, so that no table of index.db ever belongs to two accounts.
CREATE TABLE account_row (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace INTEGER NOT NULL REFERENCES workspace_row (row),
    name TEXT NOT NULL UNIQUE,
    address TEXT NOT NULL,                 -- lower case; empty where a Maildir has none
    kind TEXT NOT NULL CHECK (kind IN ('imap', 'maildir')),
    created INTEGER NOT NULL,
    -- where it lies
    host TEXT,
    port INTEGER,
    tls TEXT CHECK (tls IN ('implicit', 'starttls')),
    login TEXT,
    ca_file TEXT,
    path TEXT,
    -- how it is opened: sealed here, or read at the moment of use
    credential TEXT NOT NULL CHECK (credential IN ('none', 'password', 'command', 'file')),
    credential_source TEXT,                -- the command line, or the file
    secret BLOB,                           -- nonce and ciphertext under vault.key
    -- how its sync stands
    state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'syncing', 'ok', 'failing', 'waiting_for_person')),
    reason TEXT,                           -- a stable word
    since INTEGER NOT NULL,
    last_success INTEGER,
    next_try INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    complete_back_to INTEGER,              -- all mail since then is here; 0: everything
    marks_on_read INTEGER NOT NULL DEFAULT 0 CHECK (marks_on_read IN (0, 1)),  -- seen to mark by itself: no text is fetched
    marking_accepted INTEGER NOT NULL DEFAULT 0 CHECK (marking_accepted IN (0, 1)),  -- a person said to read on nevertheless
    peek_proved INTEGER NOT NULL DEFAULT 0 CHECK (peek_proved IN (0, 1)),      -- text was fetched and stayed unread
    lease_holder TEXT,
    lease_process TEXT,                    -- and the process it is of
    lease_boot TEXT,
    lease_until INTEGER,
    revision INTEGER NOT NULL DEFAULT 0    -- counts what the full text must follow
) STRICT;
CREATE INDEX account_workspace ON account_row (workspace);

CREATE TABLE folder_row (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account INTEGER NOT NULL REFERENCES account_row (row) ON DELETE CASCADE,
    name TEXT NOT NULL,                    -- as people read it
    wire_name TEXT NOT NULL,               -- as the server, or the directory, has it
    delimiter TEXT,
    special_use TEXT CHECK (special_use IN ('inbox', 'sent', 'drafts', 'archive', 'trash', 'junk', 'all', 'flagged', 'important')),
    selectable INTEGER NOT NULL DEFAULT 1,
    personal INTEGER NOT NULL DEFAULT 1,   -- of the personal namespace
    -- counts of live locations, kept by triggers
    total INTEGER NOT NULL DEFAULT 0,
    unread INTEGER NOT NULL DEFAULT 0,
    flagged INTEGER NOT NULL DEFAULT 0,
    -- how its sync stands
    uid_validity INTEGER,
    uid_next INTEGER NOT NULL DEFAULT 1,   -- everything from here on is new; a Maildir's next local number
    modseq INTEGER NOT NULL DEFAULT 0,     -- every change up to here is in
    swept_to INTEGER NOT NULL DEFAULT 0,   -- where the flag sweep goes on, without CONDSTORE
    remote_total INTEGER,                  -- what the server last counted
    stamp TEXT,                            -- a Maildir's directory times at the last scan
    state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'syncing', 'ok', 'failing', 'waiting_for_person')),
    reason TEXT,
    since INTEGER NOT NULL,
    last_success INTEGER,
    complete_back_to INTEGER,
    UNIQUE (account, wire_name)
) STRICT;
CREATE INDEX folder_special ON folder_row (account, special_use);

-- What a scan met and left alone: a link in a Maildir, a file it cannot read. Shown to people, by name.
CREATE TABLE sync_issue_row (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES account_row (row) ON DELETE CASCADE,
    folder INTEGER REFERENCES folder_row (row) ON DELETE CASCADE, -- NULL: of the account itself
    reason TEXT NOT NULL,
    name TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX sync_issue_once ON sync_issue_row (account, coalesce(folder, 0), reason, name);
CREATE INDEX sync_issue_folder ON sync_issue_row (folder);

-- A thread is a component of the reference edges of one account. A thread that was merged keeps its id.
CREATE TABLE thread_row (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account INTEGER NOT NULL REFERENCES account_row (row) ON DELETE CASCADE,
    merged_into INTEGER REFERENCES thread_row (row) ON DELETE CASCADE,
    messages INTEGER NOT NULL DEFAULT 0,
    -- when the newest message of the thread in each view came; NULL: there is none. Kept by triggers.
    latest INTEGER,
    latest_inbox INTEGER,
    latest_unread INTEGER,
    latest_flagged INTEGER,
    latest_sent INTEGER
) STRICT;
CREATE INDEX thread_latest ON thread_row (account, latest DESC, row DESC) WHERE latest IS NOT NULL;
CREATE INDEX thread_inbox ON thread_row (account, latest_inbox DESC, row DESC) WHERE latest_inbox IS NOT NULL;
CREATE INDEX thread_unread ON thread_row (account, latest_unread DESC, row DESC) WHERE latest_unread IS NOT NULL;
CREATE INDEX thread_flagged ON thread_row (account, latest_flagged DESC, row DESC) WHERE latest_flagged IS NOT NULL;
CREATE INDEX thread_sent ON thread_row (account, latest_sent DESC, row DESC) WHERE latest_sent IS NOT NULL;
CREATE INDEX thread_merged ON thread_row (merged_into) WHERE merged_into IS NOT NULL;

-- Every Message-ID that was seen or referred to, and the thread it belongs to.
CREATE TABLE thread_node_row (
    account INTEGER NOT NULL REFERENCES account_row (row) ON DELETE CASCADE,
    message_id TEXT NOT NULL,
    thread INTEGER NOT NULL REFERENCES thread_row (row) ON DELETE CASCADE,
    PRIMARY KEY (account, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_node_thread ON thread_node_row (thread);

-- What a listing shows. The text lies in body_row, so that a listing reads no body.
CREATE TABLE message_row (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account INTEGER NOT NULL REFERENCES account_row (row) ON DELETE CASCADE,
    thread INTEGER NOT NULL REFERENCES thread_row (row),
    content_hash BLOB NOT NULL,            -- SHA-256 of header block and text
    message_id TEXT,                       -- the header, without angle brackets
    sent INTEGER,                          -- the Date header, where there is one
    received INTEGER NOT NULL,             -- INTERNALDATE, or a Maildir file's time; the order of every list
    subject TEXT NOT NULL DEFAULT '',
    from_name TEXT NOT NULL DEFAULT '',
    from_addr TEXT NOT NULL DEFAULT '',    -- lower case
    to_first TEXT NOT NULL DEFAULT '',     -- name or address of the first recipient, for Sent
    recipients INTEGER NOT NULL DEFAULT 0,
    is_list INTEGER NOT NULL DEFAULT 0 CHECK (is_list IN (0, 1)),
    list_id TEXT,
    automatic INTEGER NOT NULL DEFAULT 0 CHECK (automatic IN (0, 1)),
    attachments INTEGER NOT NULL DEFAULT 0,
    size INTEGER NOT NULL DEFAULT 0,       -- bytes of the whole message
    snippet TEXT NOT NULL DEFAULT '',      -- at most 400 characters
    text_state TEXT NOT NULL CHECK (text_state IN ('whole', 'cut', 'absent', 'unreadable', 'vanished')),
    fetch_tries INTEGER NOT NULL DEFAULT 0, -- how often text that the server withheld was asked for again
    -- in which views it is, over its live locations; kept by triggers
    in_inbox INTEGER NOT NULL DEFAULT 0,
    in_sent INTEGER NOT NULL DEFAULT 0,
    unread INTEGER NOT NULL DEFAULT 0,     -- not seen somewhere outside Trash and Junk
    flagged INTEGER NOT NULL DEFAULT 0,
    answered INTEGER NOT NULL DEFAULT 0,
    discarded INTEGER NOT NULL DEFAULT 0,  -- only in Trash and Junk
    vanished_at INTEGER,                   -- no live location since then; the id waits, without its text
    revision INTEGER NOT NULL              -- the account's revision when its text last changed
) STRICT;
CREATE INDEX message_newest ON message_row (account, received DESC, row DESC) WHERE vanished_at IS NULL;
CREATE INDEX message_inbox ON message_row (account, received DESC, row DESC) WHERE in_inbox = 1;
CREATE INDEX message_sent ON message_row (account, received DESC, row DESC) WHERE in_sent = 1;
CREATE INDEX message_unread ON message_row (account, received DESC, row DESC) WHERE unread = 1;
CREATE INDEX message_flagged ON message_row (account, received DESC, row DESC) WHERE flagged = 1;
CREATE INDEX message_from ON message_row (account, from_addr, received DESC, row DESC) WHERE vanished_at IS NULL;
CREATE INDEX message_thread ON message_row (thread, received DESC, row DESC);
-- What the triggers of thread_row look up: each the first of its index, however long the thread.
CREATE INDEX thread_newest_inbox ON message_row (thread, received DESC) WHERE in_inbox = 1;
CREATE INDEX thread_newest_unread ON message_row (thread, received DESC) WHERE unread = 1;
CREATE INDEX thread_newest_flagged ON message_row (thread, received DESC) WHERE flagged = 1;
CREATE INDEX thread_newest_sent ON message_row (thread, received DESC) WHERE in_sent = 1;
CREATE INDEX thread_newest_kept ON message_row (thread, received DESC) WHERE vanished_at IS NULL AND discarded = 0;
CREATE INDEX message_content ON message_row (account, content_hash);
CREATE INDEX message_header ON message_row (account, message_id) WHERE message_id IS NOT NULL;
CREATE INDEX message_revision ON message_row (account, revision);
CREATE INDEX message_withheld ON message_row (account) WHERE text_state = 'absent' AND fetch_tries < 3;
CREATE INDEX message_waiting ON message_row (account) WHERE vanished_at IS NOT NULL AND text_state <> 'vanished';
CREATE INDEX message_vanished ON message_row (vanished_at) WHERE vanished_at IS NOT NULL;

-- Its text, at most 512 KiB, and what its headers say, as one JSON object (oaken_mail::facts::HeaderFacts).
CREATE TABLE body_row (
    message INTEGER PRIMARY KEY REFERENCES message_row (row) ON DELETE CASCADE,
    account INTEGER NOT NULL,
    text TEXT NOT NULL,
    facts TEXT NOT NULL
) STRICT;

-- Where a message lies: one row a folder and UID. The flags belong to the place.
-- flags: 1 \Seen, 2 \Answered, 4 \Flagged, 8 \Deleted, 16 \Draft.
CREATE TABLE location_row (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL,
    message INTEGER NOT NULL REFERENCES message_row (row) ON DELETE CASCADE,
    folder INTEGER NOT NULL REFERENCES folder_row (row) ON DELETE CASCADE,
    uid INTEGER NOT NULL,
    modseq INTEGER NOT NULL DEFAULT 0,
    flags INTEGER NOT NULL DEFAULT 0 CHECK (flags BETWEEN 0 AND 31),
    received INTEGER NOT NULL,             -- INTERNALDATE of this place
    name TEXT,                             -- a Maildir file's unique part
    file TEXT,                             -- and its path below the folder when last seen
    UNIQUE (folder, uid)
) STRICT;
CREATE INDEX location_message ON location_row (message);
CREATE INDEX location_newest ON location_row (folder, received DESC, row DESC);
CREATE INDEX location_unread ON location_row (folder, received DESC, row DESC) WHERE flags & 1 = 0;
CREATE INDEX location_flagged ON location_row (folder, received DESC, row DESC) WHERE flags & 4 <> 0;
CREATE INDEX location_name ON location_row (folder, name) WHERE name IS NOT NULL;

-- IMAP keywords.
CREATE TABLE label_row (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account INTEGER NOT NULL REFERENCES account_row (row) ON DELETE CASCADE,
    name TEXT NOT NULL COLLATE NOCASE,
    total INTEGER NOT NULL DEFAULT 0,
    UNIQUE (account, name)
) STRICT;
CREATE TABLE location_label_row (
    location INTEGER NOT NULL REFERENCES location_row (row) ON DELETE CASCADE,
    label INTEGER NOT NULL REFERENCES label_row (row) ON DELETE CASCADE,
    account INTEGER NOT NULL,
    received INTEGER NOT NULL,
    PRIMARY KEY (location, label)
) STRICT, WITHOUT ROWID;
CREATE INDEX label_newest ON location_label_row (label, received DESC, location DESC);

-- A part that is no text of the body. Its id is made of the message's and the part's number.
CREATE TABLE attachment_row (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account INTEGER NOT NULL,
    message INTEGER NOT NULL REFERENCES message_row (row) ON DELETE CASCADE,
    part TEXT NOT NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size INTEGER NOT NULL,                 -- bytes, decoded
    inline INTEGER NOT NULL DEFAULT 0 CHECK (inline IN (0, 1)),
    UNIQUE (message, part)
) STRICT;

-- The edges of a thread: what a message refers to, from the oldest of References to its parent.
CREATE TABLE reference_row (
    message INTEGER NOT NULL REFERENCES message_row (row) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    account INTEGER NOT NULL,
    parent TEXT NOT NULL,
    PRIMARY KEY (message, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX reference_parent ON reference_row (account, parent);

-- What a change did: one entry a confirmed call, one row a place. Never mail text.
CREATE TABLE journal_entry_row (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    intent INTEGER NOT NULL,               -- the gate's intent row
    operation TEXT NOT NULL,
    agent TEXT,                            -- whose it was; NULL: a person's
    at INTEGER NOT NULL,
    process TEXT,                          -- that makes the change
    state TEXT NOT NULL CHECK (state IN ('open', 'done', 'unconfirmed', 'undone')),
    undone_by TEXT
) STRICT;
CREATE INDEX journal_newest ON journal_entry_row (at DESC, row DESC);
CREATE INDEX journal_agent ON journal_entry_row (agent, at DESC, row DESC) WHERE agent IS NOT NULL;
CREATE INDEX journal_open ON journal_entry_row (intent) WHERE state = 'open';
CREATE TABLE journal_change_row (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    entry INTEGER NOT NULL REFERENCES journal_entry_row (row) ON DELETE CASCADE,
    account INTEGER NOT NULL,
    message INTEGER NOT NULL REFERENCES message_row (row) ON DELETE CASCADE,
    location INTEGER NOT NULL,             -- its row then; the place may be gone
    content_hash BLOB NOT NULL,
    what TEXT NOT NULL CHECK (what IN ('seen', 'flagged')),
    before INTEGER NOT NULL,
    after INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('open', 'done', 'already', 'not_there', 'refused', 'unconfirmed'))
) STRICT;
CREATE INDEX journal_change_entry ON journal_change_row (entry);
CREATE INDEX journal_change_message ON journal_change_row (message, row DESC);

-- Kept here and not in code, so that no writer can forget them.
CREATE TRIGGER location_in AFTER INSERT ON location_row BEGIN
    UPDATE folder_row SET total = total + 1,
        unread = unread + (NEW.flags & 1 = 0), flagged = flagged + (NEW.flags & 4 <> 0)
        WHERE row = NEW.folder;
    UPDATE message_row SET (in_inbox, in_sent, unread, flagged, answered, discarded) = (
        SELECT coalesce(max(f.special_use IS 'inbox'), 0),
            coalesce(max(f.special_use IS 'sent'), 0),
            coalesce(max(l.flags & 1 = 0 AND coalesce(f.special_use, '') NOT IN ('trash', 'junk')), 0),
            coalesce(max(l.flags & 4 <> 0 AND coalesce(f.special_use, '') NOT IN ('trash', 'junk')), 0),
            coalesce(max(l.flags & 2 <> 0), 0),
            coalesce(min(coalesce(f.special_use, '') IN ('trash', 'junk')), 0)
        FROM location_row l JOIN folder_row f ON f.row = l.folder WHERE l.message = NEW.message)
        WHERE row = NEW.message;
END;
CREATE TRIGGER location_out AFTER DELETE ON location_row BEGIN
    UPDATE folder_row SET total = total - 1,
        unread = unread - (OLD.flags & 1 = 0), flagged = flagged - (OLD.flags & 4 <> 0)
        WHERE row = OLD.folder;
    UPDATE message_row SET (in_inbox, in_sent, unread, flagged, answered, discarded) = (
        SELECT coalesce(max(f.special_use IS 'inbox'), 0),
            coalesce(max(f.special_use IS 'sent'), 0),
            coalesce(max(l.flags & 1 = 0 AND coalesce(f.special_use, '') NOT IN ('trash', 'junk')), 0),
            coalesce(max(l.flags & 4 <> 0 AND coalesce(f.special_use, '') NOT IN ('trash', 'junk')), 0),
            coalesce(max(l.flags & 2 <> 0), 0),
            coalesce(min(coalesce(f.special_use, '') IN ('trash', 'junk')), 0)
        FROM location_row l JOIN folder_row f ON f.row = l.folder WHERE l.message = OLD.message)
        WHERE row = OLD.message;
END;
CREATE TRIGGER location_flags AFTER UPDATE OF flags ON location_row WHEN NEW.flags <> OLD.flags BEGIN
    UPDATE folder_row SET
        unread = unread + (NEW.flags & 1 = 0) - (OLD.flags & 1 = 0),
        flagged = flagged + (NEW.flags & 4 <> 0) - (OLD.flags & 4 <> 0)
        WHERE row = NEW.folder;
    UPDATE message_row SET (in_inbox, in_sent, unread, flagged, answered, discarded) = (
        SELECT coalesce(max(f.special_use IS 'inbox'), 0),
            coalesce(max(f.special_use IS 'sent'), 0),
            coalesce(max(l.flags & 1 = 0 AND coalesce(f.special_use, '') NOT IN ('trash', 'junk')), 0),
            coalesce(max(l.flags & 4 <> 0 AND coalesce(f.special_use, '') NOT IN ('trash', 'junk')), 0),
            coalesce(max(l.flags & 2 <> 0), 0),
            coalesce(min(coalesce(f.special_use, '') IN ('trash', 'junk')), 0)
        FROM location_row l JOIN folder_row f ON f.row = l.folder WHERE l.message = NEW.message)
        WHERE row = NEW.message;
END;
CREATE TRIGGER folder_use AFTER UPDATE OF special_use ON folder_row WHEN NEW.special_use IS NOT OLD.special_use BEGIN
    UPDATE message_row SET (in_inbox, in_sent, unread, flagged, answered, discarded) = (
        SELECT coalesce(max(f.special_use IS 'inbox'), 0),
            coalesce(max(f.special_use IS 'sent'), 0),
            coalesce(max(l.flags & 1 = 0 AND coalesce(f.special_use, '') NOT IN ('trash', 'junk')), 0),
            coalesce(max(l.flags & 4 <> 0 AND coalesce(f.special_use, '') NOT IN ('trash', 'junk')), 0),
            coalesce(max(l.flags & 2 <> 0), 0),
            coalesce(min(coalesce(f.special_use, '') IN ('trash', 'junk')), 0)
        FROM location_row l JOIN folder_row f ON f.row = l.folder WHERE l.message = message_row.row)
        WHERE row IN (SELECT message FROM location_row WHERE folder = NEW.row);
END;
CREATE TRIGGER label_in AFTER INSERT ON location_label_row BEGIN
    UPDATE label_row SET total = total + 1 WHERE row = NEW.label;
END;
CREATE TRIGGER label_out AFTER DELETE ON location_label_row BEGIN
    UPDATE label_row SET total = total - 1 WHERE row = OLD.label;
END;

CREATE TRIGGER thread_follows_in AFTER INSERT ON message_row BEGIN
    UPDATE thread_row SET messages = messages + 1, latest = max(coalesce(latest, NEW.received), NEW.received)
        WHERE row = NEW.thread;
END;
CREATE TRIGGER thread_follows_out AFTER DELETE ON message_row BEGIN
    UPDATE thread_row SET messages = messages - (OLD.vanished_at IS NULL),
        latest = (SELECT received FROM message_row WHERE thread = OLD.thread AND vanished_at IS NULL AND discarded = 0 ORDER BY received DESC LIMIT 1),
        latest_inbox = (SELECT received FROM message_row WHERE thread = OLD.thread AND in_inbox = 1 ORDER BY received DESC LIMIT 1),
        latest_unread = (SELECT received FROM message_row WHERE thread = OLD.thread AND unread = 1 ORDER BY received DESC LIMIT 1),
        latest_flagged = (SELECT received FROM message_row WHERE thread = OLD.thread AND flagged = 1 ORDER BY received DESC LIMIT 1),
        latest_sent = (SELECT received FROM message_row WHERE thread = OLD.thread AND in_sent = 1 ORDER BY received DESC LIMIT 1)
        WHERE row = OLD.thread;
END;
CREATE TRIGGER thread_follows AFTER UPDATE OF thread, received, in_inbox, in_sent, unread, flagged, discarded, vanished_at
    ON message_row
    WHEN NEW.thread <> OLD.thread OR NEW.received <> OLD.received OR NEW.in_inbox <> OLD.in_inbox
        OR NEW.in_sent <> OLD.in_sent OR NEW.unread <> OLD.unread OR NEW.flagged <> OLD.flagged
        OR NEW.discarded <> OLD.discarded OR NEW.vanished_at IS NOT OLD.vanished_at BEGIN
    UPDATE thread_row SET messages = messages - (OLD.vanished_at IS NULL) WHERE row = OLD.thread;
    UPDATE thread_row SET messages = messages + (NEW.vanished_at IS NULL) WHERE row = NEW.thread;
    UPDATE thread_row SET
        latest = (SELECT received FROM message_row WHERE thread = thread_row.row AND vanished_at IS NULL AND discarded = 0 ORDER BY received DESC LIMIT 1),
        latest_inbox = (SELECT received FROM message_row WHERE thread = thread_row.row AND in_inbox = 1 ORDER BY received DESC LIMIT 1),
        latest_unread = (SELECT received FROM message_row WHERE thread = thread_row.row AND unread = 1 ORDER BY received DESC LIMIT 1),
        latest_flagged = (SELECT received FROM message_row WHERE thread = thread_row.row AND flagged = 1 ORDER BY received DESC LIMIT 1),
        latest_sent = (SELECT received FROM message_row WHERE thread = thread_row.row AND in_sent = 1 ORDER BY received DESC LIMIT 1)
        WHERE row IN (NEW.thread, OLD.thread);
END;
