package io.hiroba.platform.gloss;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads CC-CEDICT as a dictionary server has it: a word in traditional and, where they differ, simplified characters,
 * its reading in brackets and its senses, a line each.
 */
final class CedictReader {

    /** Where the file breaks lines: a longer one goes on in the next. */
    private static final int WIDTH = 60;

    private final Map<String, String> words = new HashMap<>();
    private final Map<String, Integer> ranks = new HashMap<>();

    private CedictReader() {}

    static Map<String, String> read(BufferedReader lines) throws IOException {
        var reader = new CedictReader();
        var word = "";
        var reading = "";
        var senses = new ArrayList<String>();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("[") && line.endsWith("]") && !senses.isEmpty()) {
                var next = senses.removeLast();
                reader.add(word, reading, senses);
                word = next;
                reading = line;
                senses.clear();
            } else {
                senses.add(line);
            }
        }
        reader.add(word, reading, senses);
        return reader.words;
    }

    private void add(String word, String reading, List<String> lines) {
        var senses = new ArrayList<String>();
        boolean goesOn = false;
        for (var line : lines) {
            if (goesOn) {
                senses.add(senses.removeLast() + " " + line);
            } else {
                senses.add(line);
            }
            goesOn = line.length() > WIDTH;
        }
        var glosses = Definition.glosses(senses);
        if (word.isEmpty() || glosses.isEmpty()) {
            return;
        }
        // Of words that are written alike, the one of most senses is the commonest; a capital letter in the reading
        // marks a name.
        boolean isName = reading.length() > 1 && Character.isUpperCase(reading.charAt(1));
        int rank = isName
                ? 0
                : (int) senses.stream().filter(Definition::translates).count();
        for (var each : word.split("\\|", -1)) {
            if (rank > ranks.getOrDefault(each, -1)) {
                words.put(each, glosses);
                ranks.put(each, rank);
            }
        }
    }
}
