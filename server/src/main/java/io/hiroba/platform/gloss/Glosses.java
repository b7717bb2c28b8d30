package io.hiroba.platform.gloss;

import java.io.IOException;
import java.lang.Character.UnicodeScript;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts English glosses of a dictionary in the place of Japanese and Chinese words, so that a model of English makes
 * something of them. Other texts stay as they are, to the letter.
 */
public final class Glosses implements UnaryOperator<String> {

    private static final String SCRIPTS = "\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}ー々〆";
    private static final Pattern RUN = Pattern.compile("[" + SCRIPTS + "]+");
    private static final Pattern KANA = Pattern.compile("[\\p{IsHiragana}\\p{IsKatakana}]");
    private static final Pattern SENTENCE = Pattern.compile("[^。！？!?\\n]*[。！？!?\\n]*");

    /** The version of what is computed here, which whatever depends on it carries in its name. */
    public static final int VERSION = 1;

    private static final ReentrantLock OPENING = new ReentrantLock();
    private static @Nullable Glosses opened;

    /** Glosses that a word has at most; they are told apart in the table. */
    private static final int PER_WORD = 1;

    private final JapaneseGlosser japanese;
    private final ChineseGlosser chinese;
    private final ChineseGlosser japaneseWords;
    private final int perWord;

    Glosses(GlossTable japanese, GlossTable chinese) {
        this(japanese, chinese, PER_WORD);
    }

    Glosses(GlossTable japanese, GlossTable chinese, int perWord) {
        this.japanese = new JapaneseGlosser(japanese);
        this.chinese = new ChineseGlosser(chinese);
        this.japaneseWords = new ChineseGlosser(japanese);
        this.perWord = perWord;
    }

    /** The folder of the dictionaries in the user's cache, as the XDG base directories define it. */
    public static Path folder() {
        var xdg = System.getenv("XDG_CACHE_HOME");
        var cache = xdg != null && Path.of(xdg).isAbsolute()
                ? Path.of(xdg)
                : Path.of(System.getProperty("user.home"), ".cache");
        return cache.resolve("hiroba").resolve("dictionaries-2025");
    }

    /** Whether glosses can be had on this machine. */
    public static boolean areInstalled() {
        return new GlossFiles(folder()).exist();
    }

    /**
     * Makes the tables of the dictionaries in {@link #folder}, unless they are there, which takes some seconds.
     *
     * @throws IOException if the dictionaries are not there
     */
    public static void install() throws IOException {
        new GlossFiles(folder()).make();
    }

    /**
     * The glosses of this machine, which are opened once.
     *
     * @throws IOException if they are not installed
     */
    public static Glosses installed() throws IOException {
        OPENING.lock();
        try {
            var known = opened;
            if (known == null) {
                known = new GlossFiles(folder()).open();
                opened = known;
            }
            return known;
        } finally {
            OPENING.unlock();
        }
    }

    /** Whether a text holds anything to gloss. */
    public static boolean applyTo(String text) {
        return text.codePoints().anyMatch(Glosses::isGlossed);
    }

    private static boolean isGlossed(int character) {
        var script = UnicodeScript.of(character);
        return script == UnicodeScript.HAN || script == UnicodeScript.HIRAGANA || script == UnicodeScript.KATAKANA;
    }

    @Override
    public String apply(String text) {
        if (!applyTo(text)) {
            return text;
        }
        var normal = Normalizer.normalize(text, Normalizer.Form.NFKC);
        boolean holdsKana = KANA.matcher(normal).find();
        var english = new StringBuilder();
        var sentences = SENTENCE.matcher(normal);
        while (sentences.find()) {
            gloss(sentences.group(), holdsKana, english);
        }
        // Function words alone leave nothing behind.
        return english.toString().isBlank() ? text : english.toString().strip();
    }

    private void gloss(String sentence, boolean holdsKana, StringBuilder english) {
        boolean isJapanese = KANA.matcher(sentence).find() || isRatherJapanese(sentence, holdsKana);
        var runs = RUN.matcher(sentence);
        int end = 0;
        while (runs.find()) {
            english.append(punctuated(sentence.substring(end, runs.start())));
            var glosses = new ArrayList<String>();
            if (isJapanese) {
                japanese.gloss(runs.group(), glosses);
            } else {
                chinese.gloss(runs.group(), glosses);
            }
            glosses.forEach(gloss -> append(english, gloss));
            english.append(' ');
            end = runs.end();
        }
        english.append(punctuated(sentence.substring(end)));
    }

    /** Han alone may be either: the language whose dictionary has more of it, or that of the rest of the text. */
    private boolean isRatherJapanese(String sentence, boolean holdsKana) {
        int japaneseScore = holdsKana ? 1 : 0;
        int chineseScore = 0;
        var runs = RUN.matcher(sentence);
        while (runs.find()) {
            japaneseScore += 2 * japaneseWords.coverage(runs.group());
            chineseScore += 2 * chinese.coverage(runs.group());
        }
        return japaneseScore > chineseScore;
    }

    private void append(StringBuilder english, String glosses) {
        if (!english.isEmpty() && !Character.isWhitespace(english.charAt(english.length() - 1))) {
            english.append(' ');
        }
        int end = -1;
        for (int i = 0; i < perWord; i++) {
            int next = glosses.indexOf(Definition.SEPARATOR, end + 1);
            end = next < 0 ? glosses.length() : next;
            if (next < 0) {
                break;
            }
        }
        english.append(glosses.substring(0, end).replace(Definition.SEPARATOR, ' '));
    }

    private static String punctuated(String text) {
        return text.replace('。', '.').replace('、', ',').replaceAll("[「」『』【】〈〉《》・〜]", " ");
    }
}
