package io.hiroba.platform.gloss;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.analysis.ja.JapaneseTokenizer;
import org.apache.lucene.analysis.ja.JapaneseTokenizer.Mode;
import org.apache.lucene.analysis.ja.dict.ToStringUtil;
import org.apache.lucene.analysis.ja.tokenattributes.BaseFormAttribute;
import org.apache.lucene.analysis.ja.tokenattributes.PartOfSpeechAttribute;
import org.apache.lucene.analysis.ja.tokenattributes.ReadingAttribute;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.jspecify.annotations.Nullable;

/** Glosses Japanese: words by their base form, compounds as a whole where the dictionary has them. */
final class JapaneseGlosser {

    /** The most words of a compound. */
    private static final int MAX_COMPOUND = 5;

    /** Verbs and nouns that stand in every sentence. */
    private static final Set<String> STOP_WORDS = Set.of(
            "する", "いる", "ある", "なる", "おる", "くださる", "いただく", "頂く", "できる", "出来る", "れる", "られる", "これ", "それ", "あれ", "ここ", "そこ",
            "こと", "もの", "ため", "よう", "とき", "ところ", "場合", "方", "の", "ん", "お", "ご", "御", "行う", "おこなう", "よる", "つく", "とる",
            "おく", "いう", "言う", "思う", "私", "わたし", "教える", "いい", "よい", "良い", "さん", "様", "さま", "ちゃん", "くん", "そば", "なり",
            "しまう", "みる", "くる", "もらう", "くれる", "ちゃう", "その", "この", "あの", "どう", "また", "もう");

    /** Counters, whose characters mean something else where they stand alone. */
    private static final Map<String, String> COUNTERS = Map.ofEntries(
            Map.entry("日", "day"),
            Map.entry("月", "month"),
            Map.entry("年", "year"),
            Map.entry("時", "hour"),
            Map.entry("分", "minute"),
            Map.entry("か月", "month"),
            Map.entry("ヶ月", "month"),
            Map.entry("カ月", "month"),
            Map.entry("人", "people"),
            Map.entry("名", "people"),
            Map.entry("回", "times"),
            Map.entry("度", "times"),
            Map.entry("本", "piece"),
            Map.entry("台", "unit"),
            Map.entry("号", "number"),
            Map.entry("階", "floor"),
            Map.entry("点", "point"),
            Map.entry("通", "letter"));

    /** The vowel change that makes "can read" of "read". */
    private static final String POTENTIAL = "えけげせてねべめれ";

    private static final String PLAIN = "うくぐすつぬぶむる";

    private final GlossTable words;

    JapaneseGlosser(GlossTable words) {
        this.words = words;
    }

    /** A word as the tokenizer cuts it. */
    private record Word(String surface, String base, String partOfSpeech, String reading) {

        boolean isParticle() {
            return partOfSpeech.startsWith("助");
        }

        /** Verbs and adjectives: their other forms are written like nouns that mean something else. */
        boolean isInflected() {
            return partOfSpeech.startsWith("動詞") || partOfSpeech.startsWith("形容詞");
        }

        boolean isFunction() {
            return partOfSpeech.startsWith("助詞")
                    || partOfSpeech.startsWith("助動詞")
                    || partOfSpeech.startsWith("記号")
                    || partOfSpeech.startsWith("接続詞")
                    || partOfSpeech.startsWith("感動詞")
                    || partOfSpeech.startsWith("フィラー")
                    || partOfSpeech.startsWith("動詞-非自立")
                    || partOfSpeech.startsWith("動詞-接尾")
                    || partOfSpeech.startsWith("名詞-非自立")
                    || STOP_WORDS.contains(base);
        }

        boolean isNegation() {
            return base.equals("ない") || base.equals("ぬ") || (base.equals("ん") && partOfSpeech.startsWith("助動詞"));
        }
    }

    void gloss(String text, List<String> glosses) {
        var cut = cut(text);
        int i = 0;
        while (i < cut.size()) {
            i += next(cut, i, glosses);
        }
    }

    /** Glosses the longest compound that begins with a word, and returns the number of its words. */
    private int next(List<Word> cut, int start, List<String> glosses) {
        var first = cut.get(start);
        if (first.isNegation()) {
            glosses.add("not");
            return 1;
        }
        if (first.isFunction()) {
            return 1;
        }
        if (first.partOfSpeech().startsWith("名詞-接尾") && COUNTERS.containsKey(first.surface())) {
            glosses.add(Objects.requireNonNull(COUNTERS.get(first.surface())));
            return 1;
        }
        for (int end = Math.min(cut.size(), start + MAX_COMPOUND); end > start; end--) {
            var found = end > start + 1 && cut.get(end - 1).isParticle()
                    ? Optional.<String>empty()
                    : find(cut.subList(start, end));
            if (found.isPresent()) {
                glosses.add(found.get());
                return end - start;
            }
        }
        glosses.add(unknown(first));
        return 1;
    }

    private Optional<String> find(List<Word> compound) {
        var before = new StringBuilder();
        compound.subList(0, compound.size() - 1).forEach(word -> before.append(word.surface()));
        var last = compound.getLast();
        if (last.isInflected()) {
            return lookUp(before + last.base()).or(() -> lookUp(before + withoutPotential(last)));
        }
        Optional<String> asRead = compound.size() == 1 && !last.reading().isEmpty()
                ? words.gloss(EdictReader.asRead(last.surface(), last.reading()))
                : Optional.empty();
        return asRead.or(() -> lookUp(before + last.surface())).or(() -> lookUp(before + last.base()));
    }

    /** "Can keep" (飼える) is no word of the dictionary, "keep" (飼う) is. */
    private static String withoutPotential(Word word) {
        var base = word.base();
        int vowel = base.length() > 2 && base.endsWith("る") ? POTENTIAL.indexOf(base.charAt(base.length() - 2)) : -1;
        return vowel < 0 ? base : base.substring(0, base.length() - 2) + PLAIN.charAt(vowel);
    }

    /** Katakana words are written with and without a long vowel at their end. */
    private Optional<String> lookUp(String word) {
        return words.gloss(word)
                .or(() -> word.endsWith("ー")
                        ? words.gloss(word.substring(0, word.length() - 1))
                        : isKatakana(word) ? words.gloss(word + "ー") : Optional.empty());
    }

    private static boolean isKatakana(String word) {
        return word.codePoints()
                .allMatch(c -> Character.UnicodeScript.of(c) == Character.UnicodeScript.KATAKANA || c == 'ー');
    }

    /** A name as it is written in Latin letters, or else the word itself. */
    private static String unknown(Word word) {
        var reading = word.reading().isEmpty() && isKatakana(word.surface()) ? word.surface() : word.reading();
        return reading.isEmpty() ? word.surface() : ToStringUtil.getRomanization(reading);
    }

    private static List<Word> cut(String text) {
        var cut = new ArrayList<Word>();
        try (var tokenizer = new JapaneseTokenizer(null, true, Mode.NORMAL)) {
            var surface = tokenizer.addAttribute(CharTermAttribute.class);
            var base = tokenizer.addAttribute(BaseFormAttribute.class);
            var part = tokenizer.addAttribute(PartOfSpeechAttribute.class);
            var reading = tokenizer.addAttribute(ReadingAttribute.class);
            tokenizer.setReader(new StringReader(text));
            tokenizer.reset();
            while (tokenizer.incrementToken()) {
                var word = surface.toString();
                cut.add(new Word(
                        word,
                        orElse(base.getBaseForm(), word),
                        orElse(part.getPartOfSpeech(), ""),
                        orElse(reading.getReading(), "")));
            }
            tokenizer.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cut;
    }

    private static String orElse(@Nullable String text, String otherwise) {
        return text == null ? otherwise : text;
    }
}
