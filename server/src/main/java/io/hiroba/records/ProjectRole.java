package io.hiroba.records;

/** A member's role in a project; each includes the rights of those before it. */
public enum ProjectRole {
    /** Reads what the schemas' rules show. */
    VIEWER,
    /** Writes records, too, within the schemas' rules. */
    EDITOR,
    /** Does everything: schemas, rules, members, indexes. Rules do not bind an owner. */
    OWNER
}
