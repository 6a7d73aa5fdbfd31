-- The tables of the gate: who may, what is set, what was proposed, what happened.
-- No table here holds mail text, an address, or a secret in clear.

-- One row that changes whenever anything that governs changes; caches are keyed by it.
CREATE TABLE epoch_row (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  epoch INTEGER NOT NULL
) STRICT;
INSERT INTO epoch_row (one, epoch) VALUES (1, 1);

-- Settings that differ from the spec's defaults; the value as JSON.
CREATE TABLE setting_row (
  section TEXT NOT NULL,
  name    TEXT NOT NULL,
  value   TEXT NOT NULL,
  PRIMARY KEY (section, name)
) STRICT, WITHOUT ROWID;

-- The one global exposure list: operations that a person lowered or raised.
CREATE TABLE exposure_row (
  operation TEXT PRIMARY KEY,
  offered   INTEGER NOT NULL CHECK (offered IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Agents. A name is never used twice, so that the log stays readable.
CREATE TABLE agent_row (
  agent      INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  name       TEXT NOT NULL UNIQUE COLLATE NOCASE,
  token_hash BLOB NOT NULL UNIQUE,
  created    INTEGER NOT NULL,
  revoked    INTEGER
) STRICT;

-- Personal tokens.
CREATE TABLE token_row (
  token      INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  name       TEXT NOT NULL UNIQUE COLLATE NOCASE,
  person     TEXT NOT NULL,
  class      TEXT NOT NULL CHECK (class IN ('read', 'change')),
  token_hash BLOB NOT NULL UNIQUE,
  created    INTEGER NOT NULL,
  expires    INTEGER,
  revoked    INTEGER
) STRICT;

-- Proposals of agents. The token only as a hash; the preview in ids, states and counts; the input not at all.
CREATE TABLE proposal_row (
  proposal   INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  token_hash BLOB NOT NULL UNIQUE,
  operation  TEXT NOT NULL,
  agent      TEXT NOT NULL,
  binding    BLOB NOT NULL,
  preview    TEXT NOT NULL,
  changes    INTEGER NOT NULL,
  created    INTEGER NOT NULL,
  expires    INTEGER NOT NULL,
  boot       TEXT NOT NULL,
  boot_until INTEGER NOT NULL,
  used       INTEGER,
  outcome    TEXT
) STRICT;
CREATE INDEX proposal_open ON proposal_row (agent) WHERE used IS NULL;

-- The log: an HMAC chain without gaps. Rows are never updated and never deleted.
CREATE TABLE audit_row (
  seq       INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  kind      TEXT NOT NULL CHECK (kind IN ('intent', 'outcome', 'read', 'refused')),
  door      TEXT NOT NULL,
  caller    TEXT NOT NULL,
  operation TEXT NOT NULL,
  class     TEXT NOT NULL,
  intent    INTEGER,
  entry     TEXT,
  proposal  TEXT,
  outcome   TEXT,
  count     INTEGER NOT NULL,
  detail    TEXT NOT NULL,
  mac       BLOB NOT NULL
) STRICT;
CREATE INDEX audit_caller ON audit_row (caller, seq);
CREATE INDEX audit_intent ON audit_row (intent) WHERE intent IS NOT NULL;
CREATE INDEX audit_entry ON audit_row (entry) WHERE entry IS NOT NULL;
CREATE TRIGGER audit_kept_update BEFORE UPDATE ON audit_row BEGIN SELECT RAISE(ABORT, 'the log is kept'); END;
CREATE TRIGGER audit_kept_delete BEFORE DELETE ON audit_row BEGIN SELECT RAISE(ABORT, 'the log is kept'); END;

-- Intents without an outcome yet, and the process that holds each.
CREATE TABLE open_intent_row (
  intent  INTEGER PRIMARY KEY REFERENCES audit_row (seq),
  process TEXT NOT NULL
) STRICT;

CREATE TRIGGER epoch_setting_i AFTER INSERT ON setting_row BEGIN UPDATE epoch_row SET epoch = epoch + 1; END;
CREATE TRIGGER epoch_setting_u AFTER UPDATE ON setting_row BEGIN UPDATE epoch_row SET epoch = epoch + 1; END;
CREATE TRIGGER epoch_setting_d AFTER DELETE ON setting_row BEGIN UPDATE epoch_row SET epoch = epoch + 1; END;
CREATE TRIGGER epoch_exposure_i AFTER INSERT ON exposure_row BEGIN UPDATE epoch_row SET epoch = epoch + 1; END;
CREATE TRIGGER epoch_exposure_u AFTER UPDATE ON exposure_row BEGIN UPDATE epoch_row SET epoch = epoch + 1; END;
CREATE TRIGGER epoch_exposure_d AFTER DELETE ON exposure_row BEGIN UPDATE epoch_row SET epoch = epoch + 1; END;
CREATE TRIGGER epoch_agent_i AFTER INSERT ON agent_row BEGIN UPDATE epoch_row SET epoch = epoch + 1; END;
CREATE TRIGGER epoch_agent_u AFTER UPDATE ON agent_row BEGIN UPDATE epoch_row SET epoch = epoch + 1; END;
CREATE TRIGGER epoch_token_i AFTER INSERT ON token_row BEGIN UPDATE epoch_row SET epoch = epoch + 1; END;
CREATE TRIGGER epoch_token_u AFTER UPDATE ON token_row BEGIN UPDATE epoch_row SET epoch = epoch + 1; END;
