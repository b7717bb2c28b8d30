package io.hiroba.platform.gloss;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Reads EDICT: a line a word, {@code 蛇 [へび] /(n) (1) snake/(n) (2) serpent/(P)/}. */
final class EdictReader {

    private static final char BAR = '|';
    private static final Pattern LINE = Pattern.compile("^(\\S+)(?: \\[(\\S+)])? /(.+)/$");
    /** Marks in front of a sense: part of speech, number, field, usage. */
    private static final Pattern MARKS = Pattern.compile("^(\\([^)]*\\) ?)+");

    private static final Pattern NUMBER = Pattern.compile("\\(\\d+\\)");

    /** Fields and manners of speech that few texts are of. */
    private static final Pattern SPECIAL = Pattern.compile(
            "\\((mahj|sumo|baseb|Buddh|Shinto|shogi|go|hanaf|cards|horse|MA|arch|obs|rare|derog|vulg|sl|joc|col|X|fem|chn|astron|geom)\\)");

    /** Archaic words, and readings or spellings that are out of date or wrong. */
    private static final Pattern OUTDATED = Pattern.compile("\\((arch|obs|ok|oK|iK|ik|io|rare|rk|sk|sK)\\)");

    /** Suffixes, counters and the like, which are no words by themselves. */
    private static final Pattern DEPENDENT = Pattern.compile("^\\((suf|pref|n-suf|n-pref|ctr|prt|int|aux)[,)]");

    private final Map<String, Ranked> words = new HashMap<>();

    private record Ranked(int rank, String glosses) {}

    /** The words with their readings: some are written alike. */
    private final Map<String, Ranked> asRead = new HashMap<>();

    private final Map<String, String> firstReadings = new HashMap<>();
    private final Set<String> severalReadings = new HashSet<>();

    private EdictReader() {}

    /** The key of a word that is read in one of several ways, in hiragana or katakana. */
    static String asRead(String word, String reading) {
        return word + BAR + inKatakana(reading);
    }

    private static String inKatakana(String reading) {
        return reading.codePoints()
                .map(c -> c >= 'ぁ' && c <= 'ゖ' ? c + ('ァ' - 'ぁ') : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    static Map<String, String> read(BufferedReader lines) throws IOException {
        var reader = new EdictReader();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            reader.add(line);
        }
        var glosses = new HashMap<String, String>();
        reader.words.forEach((word, ranked) -> glosses.put(word, ranked.glosses()));
        reader.asRead.forEach((key, ranked) -> {
            if (reader.severalReadings.contains(key.substring(0, key.indexOf(BAR)))) {
                glosses.put(key, ranked.glosses());
            }
        });
        return glosses;
    }

    private void add(String line) {
        var match = LINE.matcher(line);
        if (!match.matches() || line.startsWith("　")) {
            return;
        }
        var all = match.group(3);
        boolean common = all.endsWith("/(P)");
        boolean usuallyKana = all.contains("(uk)");
        var glosses = Definition.glosses(senses(all));
        if (glosses.isEmpty()) {
            return;
        }
        int rank = (common ? 8 : 0)
                - (OUTDATED.matcher(all).find() ? 4 : 0)
                - (DEPENDENT.matcher(all).find() ? 3 : 0);
        var reading = match.group(2);
        put(match.group(1), rank + (reading == null ? 1 : 0), glosses);
        if (reading != null && (common || usuallyKana)) {
            put(reading, rank + (usuallyKana ? 2 : -2), glosses);
        }
        if (reading != null && usuallyKana) {
            put(inKatakana(reading), rank + 2, glosses);
        }
        if (reading != null) {
            asRead.merge(asRead(match.group(1), reading), new Ranked(rank, glosses), EdictReader::higher);
            var first = firstReadings.putIfAbsent(match.group(1), reading);
            if (first != null && !first.equals(reading)) {
                severalReadings.add(match.group(1));
            }
        }
    }

    /** The senses of general use, each with its wordings; those of special fields only if there are no others. */
    private static List<String> senses(String definition) {
        var general = new ArrayList<String>();
        var special = new ArrayList<String>();
        var wordings = new StringJoiner(";");
        boolean isSpecial = false;
        for (var part : definition.split("/", -1)) {
            var marks = MARKS.matcher(part);
            var mark = marks.find() ? marks.group() : "";
            var wording = part.substring(mark.length());
            if (NUMBER.matcher(mark).find() && wordings.length() > 0) {
                (isSpecial ? special : general).add(wordings.toString());
                wordings = new StringJoiner(";");
            }
            if (wordings.length() == 0) {
                isSpecial = SPECIAL.matcher(mark).find();
            }
            if (!wording.isBlank()) {
                wordings.add(wording);
            }
        }
        if (wordings.length() > 0) {
            (isSpecial ? special : general).add(wordings.toString());
        }
        return general.isEmpty() ? special : general;
    }

    private static Ranked higher(Ranked old, Ranked next) {
        return next.rank() > old.rank() ? next : old;
    }

    private void put(String word, int rank, String glosses) {
        words.merge(word, new Ranked(rank, glosses), EdictReader::higher);
    }
}
