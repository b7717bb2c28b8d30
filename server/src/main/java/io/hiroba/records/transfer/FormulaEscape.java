package io.hiroba.records.transfer;

import java.util.regex.Pattern;

/**
 * Puts an apostrophe before texts that a spreadsheet would take for a formula, and takes it away again. Texts that begin with
 * apostrophes before such a character get one more, so that an import restores exactly what was exported.
 */
final class FormulaEscape {

    private static final String FORMULA = "[=+\\-@\\t\\r\\n＝＋－＠]";
    private static final Pattern FORMULAS = Pattern.compile("'*" + FORMULA);
    private static final Pattern ESCAPED = Pattern.compile("'+" + FORMULA);

    private FormulaEscape() {}

    static String escape(String text) {
        return FORMULAS.matcher(text).lookingAt() ? "'" + text : text;
    }

    static String restore(String cell) {
        return ESCAPED.matcher(cell).lookingAt() ? cell.substring(1) : cell;
    }
}
