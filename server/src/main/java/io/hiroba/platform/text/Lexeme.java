package io.hiroba.platform.text;

/** Quoting for PostgreSQL's text forms of tsvector and tsquery. */
final class Lexeme {

    private Lexeme() {}

    static String quote(String lexeme) {
        return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'";
    }
}
