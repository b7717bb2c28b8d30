package io.hiroba.records;

/** What a member may do in a project; each includes those before it. */
public enum Role {
    /** Reads what the schemas' rules show. */
    VIEWER,
    /** Writes records, too, within the schemas' rules. */
    EDITOR,
    /** Does everything: schemas, rules, members, indexes. Rules do not bind an owner. */
    OWNER
}
