package io.hiroba.saga.workflow;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Converts scalars of both formats to JSON. */
final class Scalars {

    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> TRUE = Set.of("true", "True", "TRUE");
    private static final Set<String> FALSE = Set.of("false", "False", "FALSE");
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]{1,100}");
    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?(\\.[0-9]{1,100}|[0-9]{1,100}(\\.[0-9]{0,100})?)([eE][-+]?[0-9]{1,3})?");

    private Scalars() {}

    /** A plain scalar of YAML 1.2: {@code yes} and {@code on} are strings. Numbers are decimal. */
    static JsonNode plain(String text) {
        var nodes = JsonMapper.shared().getNodeFactory();
        if (NULLS.contains(text)) {
            return nodes.nullNode();
        } else if (TRUE.contains(text) || FALSE.contains(text)) {
            return nodes.booleanNode(TRUE.contains(text));
        } else if (WHOLE.matcher(text).matches()) {
            return integer(new BigInteger(text));
        }
        return DECIMAL.matcher(text).matches() ? nodes.numberNode(new BigDecimal(text)) : text(text);
    }

    /** A whole number, as small as Jackson would have it, so that both formats yield the same. */
    static JsonNode integer(BigInteger number) {
        var nodes = JsonMapper.shared().getNodeFactory();
        if (number.bitLength() < Integer.SIZE) {
            return nodes.numberNode(number.intValue());
        }
        return number.bitLength() < Long.SIZE ? nodes.numberNode(number.longValue()) : nodes.numberNode(number);
    }

    static JsonNode decimal(BigDecimal number) {
        return JsonMapper.shared().getNodeFactory().numberNode(number);
    }

    static JsonNode text(String text) {
        return JsonMapper.shared().getNodeFactory().stringNode(text);
    }

    /** The beginning of {@code text}, without half of a character at its end. */
    static String truncate(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max) + "…";
    }
}
