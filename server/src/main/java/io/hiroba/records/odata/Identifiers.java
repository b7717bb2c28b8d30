package io.hiroba.records.odata;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;

/**
 * Makes identifiers of OData from names in any script: letters, digits and {@code _} stay, other signs become {@code _}. Where two
 * names come out the same, the one that is an identifier by itself stays so, and others get their ids.
 */
final class Identifiers {

    private static final String LETTER = "[\\p{L}\\p{Nl}_]";
    private static final String REST = "[\\p{L}\\p{Nl}\\p{Nd}\\p{Mn}\\p{Mc}\\p{Pc}\\p{Cf}]";

    /** An identifier, as OData defines it. */
    static final String FORM = LETTER + REST + "{0,127}";

    private static final Pattern IDENTIFIER = Pattern.compile(FORM);
    private static final Pattern FOREIGN = Pattern.compile("[^\\p{L}\\p{Nl}\\p{Nd}\\p{Mn}\\p{Mc}\\p{Pc}\\p{Cf}]");
    private static final Pattern BEGINNING = Pattern.compile(LETTER + ".*", Pattern.DOTALL);

    private final Set<String> taken = new HashSet<>();

    /** The identifiers of {@code things}, by their ids, none of which is taken afterwards. */
    <T> Map<Integer, String> of(List<T> things, Function<T, String> name, ToIntFunction<T> id) {
        var identifiers = new HashMap<Integer, String>();
        for (var thing : things) {
            var own = name.apply(thing);
            if (IDENTIFIER.matcher(own).matches() && taken.add(own)) {
                identifiers.put(id.applyAsInt(thing), own);
            }
        }
        for (var thing : things) {
            identifiers.computeIfAbsent(id.applyAsInt(thing), each -> free(made(name.apply(thing)), each));
        }
        return identifiers;
    }

    private String free(String wanted, int id) {
        var identifier = wanted;
        while (!taken.add(identifier)) {
            identifier += "_" + id;
        }
        return identifier;
    }

    /** The identifier of a name, where no other name comes out the same. */
    static String made(String name) {
        var signs = FOREIGN.matcher(name).replaceAll("_");
        return BEGINNING.matcher(signs).matches() ? signs : "_" + signs;
    }
}
