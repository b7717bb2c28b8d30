package io.hiroba.records;

import io.hiroba.accounts.UserId;
import java.util.Locale;

/**
 * The tables of one project, by their names in SQL: {@code <table>_<base32(client_id)>_<project_id>}. They are built
 * from two numbers, so that no user input gets into an identifier.
 */
public record ProjectTables(UserId client, ProjectId project) {

    private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int DIGITS = 13;

    /** The suffix of all names of the project. */
    public String suffix() {
        return base32(client.value()) + "_" + project.hex().toLowerCase(Locale.ROOT);
    }

    public String schemas() {
        return table("schemas");
    }

    public String registry() {
        return table("schema_registry");
    }

    public String attributes() {
        return table("attributes");
    }

    /** The table of documents. */
    public String records() {
        return table("records");
    }

    /** The table of typed values. */
    public String eav() {
        return table("eav");
    }

    public String uniqueValues() {
        return table("unique_values");
    }

    public String links() {
        return table("links");
    }

    /** The table of chosen options of lists. */
    public String choices() {
        return table("choices");
    }

    public String history() {
        return table("history");
    }

    private String table(String name) {
        return "records.\"" + name + "_" + suffix() + "\"";
    }

    /** The eight bytes of {@code value} in base32 of RFC 4648, without padding. */
    private static String base32(long value) {
        var text = new StringBuilder(DIGITS);
        // 64 bits are twelve groups of five and one of four, padded with a zero.
        for (int shift = 59; shift >= 4; shift -= 5) {
            text.append(BASE32.charAt((int) (value >>> shift) & 31));
        }
        return text.append(BASE32.charAt((int) (value << 1) & 31)).toString();
    }
}
