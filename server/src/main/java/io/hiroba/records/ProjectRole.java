package io.hiroba.records;

/** A member's role in a project; each includes the rights of those before it. */
public enum ProjectRole {
    /** Reads records within the schemas' rules. */
    VIEWER,
    /** Also writes records within the schemas' rules. */
    EDITOR,
    /** Manages schemas, rules, members and indexes. Rules do not apply to owners. */
    OWNER
}
