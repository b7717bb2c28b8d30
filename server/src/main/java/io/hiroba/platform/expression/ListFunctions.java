package io.hiroba.platform.expression;

import io.hiroba.platform.i18n.Text;
import java.util.List;
import java.util.StringJoiner;

/** The functions of lists that CEL lacks, or does not bound. */
final class ListFunctions {

    private ListFunctions() {}

    /** The sum of whole numbers as one, with an error where it is too large; of others as a double. */
    static Object sum(List<?> numbers) {
        long whole = 0;
        double broken = 0;
        boolean isWhole = true;
        for (var each : numbers) {
            if (!(each instanceof Long) && !(each instanceof Double)) {
                throw new EvaluationFaults.Misuse(Text.of("expression.sum"));
            }
            if (each instanceof Long number && isWhole) {
                whole = Math.addExact(whole, number);
            } else {
                isWhole = false;
            }
            broken += ((Number) each).doubleValue();
        }
        return isWhole ? (Object) whole : (Object) broken;
    }

    static String join(List<?> texts, String separator) {
        long length = 0;
        for (var each : texts) {
            if (!(each instanceof String text)) {
                throw new EvaluationFaults.Misuse(Text.of("expression.join"));
            }
            length += text.length() + (long) separator.length();
        }
        if (length > EvaluationBudget.MAX_TEXT_LENGTH) {
            throw new EvaluationBudget.Exhausted();
        }
        var joined = new StringJoiner(separator);
        texts.forEach(text -> joined.add((String) text));
        return joined.toString();
    }
}
