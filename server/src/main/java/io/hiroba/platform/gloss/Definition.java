package io.hiroba.platform.gloss;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** Shortens a dictionary's definitions to glosses: the few words that a translator would put in their place. */
final class Definition {

    /** The separator of glosses in a {@link GlossTable}. */
    static final char SEPARATOR = '/';

    private static final int MAX_GLOSSES = 2;
    private static final int FEW_WORDS = 3;
    private static final int MAX_WORDS = 6;
    private static final Pattern PARENTHESES = Pattern.compile("\\([^()]*\\)|\\[[^\\[\\]]*]|（[^（）]*）");
    private static final Pattern UNCLOSED = Pattern.compile("[(（\\[].*|^[^(（]*[)）]");
    private static final Pattern NO_WORDS = Pattern.compile("\\p{IsHan}|[|…/]|\\.\\.\\.");
    private static final Pattern SPACES = Pattern.compile("\\s+");
    private static final Pattern PARTS = Pattern.compile("[;,]");
    private static final Pattern LEADING = Pattern.compile(
            "^(lit\\. |fig\\. |to be |to |an? |the |counter for |classifier for |suffix for )+",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern TRAILING = Pattern.compile("( (sth|sb|sb's|oneself|one's|etc\\.?|e\\.g\\.?))+$");
    private static final Pattern NO_TRANSLATION = Pattern.compile(
            "^(surname |variant of |old variant|used in |see |see also|abbr\\. |CL:|same as |also written|also pr|erhua |also called"
                    + "|(interjection|particle|prefix|suffix|onom|indicates|indicating|Kangxi|one of the)\\b)",
            Pattern.CASE_INSENSITIVE);

    private Definition() {}

    /** Whether a sense translates the word, and does not only point elsewhere. */
    static boolean translates(String sense) {
        return !NO_TRANSLATION
                .matcher(PARENTHESES.matcher(sense).replaceAll("").strip())
                .find();
    }

    /**
     * The glosses of a word, by its senses: the shortest words for the first one come first. Empty if nothing translates it.
     *
     * @param senses each in one or more wordings, divided by semicolons or commas
     */
    static String glosses(List<String> senses) {
        Collection<String> glosses = new LinkedHashSet<>();
        for (var sense : senses) {
            if (glosses.size() < MAX_GLOSSES && translates(sense)) {
                var wordings = wordings(sense);
                wordings.stream()
                        .filter(wording -> words(wording) <= FEW_WORDS)
                        .findFirst()
                        .or(() -> wordings.stream().findFirst())
                        .ifPresent(glosses::add);
            }
        }
        return String.join(String.valueOf(SEPARATOR), glosses);
    }

    private static List<String> wordings(String sense) {
        var text = sense;
        var before = "";
        // Parentheses stand in parentheses.
        while (!Objects.equals(before, text)) {
            before = text;
            text = PARENTHESES.matcher(text).replaceAll(" ");
        }
        text = UNCLOSED.matcher(text).replaceAll(" ");
        var wordings = new ArrayList<String>();
        for (var part : PARTS.split(text, -1)) {
            var wording = SPACES.matcher(NO_WORDS.matcher(part).replaceAll(" "))
                    .replaceAll(" ")
                    .strip();
            wording =
                    TRAILING.matcher(LEADING.matcher(wording).replaceFirst("")).replaceFirst("");
            if (!wording.isEmpty()) {
                wordings.add(shortened(wording));
            }
        }
        return wordings;
    }

    private static String shortened(String wording) {
        var words = wording.split(" ", -1);
        return words.length <= MAX_WORDS
                ? wording
                : String.join(" ", Arrays.asList(words).subList(0, MAX_WORDS));
    }

    private static int words(String wording) {
        return wording.split(" ", -1).length;
    }
}
