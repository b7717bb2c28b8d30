package io.hiroba.knowledge.embedding;

import dev.langchain4j.data.segment.TextSegment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.Character.UnicodeScript;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The Chinese model in the jar, which makes something of Japanese, too. What all texts of a language have in common is
 * taken off its vectors, or any two of them would be nearer than either is to an English text.
 */
final class HanEncoder {

    static final int DIMENSIONS = 512;

    private static final String NAME = "bge-small-zh-v1.5-q";

    /** An English word has some five letters, of which a character says as much. */
    private static final double LETTERS_PER_CHARACTER = 4;

    private final LocalModel model = LocalModel.load(NAME);
    private final float[] chineseMean = mean("sentences_zh.txt");
    private final float[] japaneseMean = mean("sentences_ja.txt");

    /** Loaded with the first text. */
    private static final class Loaded {
        static final HanEncoder ENCODER = new HanEncoder();
    }

    /**
     * The letters of a text by their scripts.
     */
    record Letters(int han, int kana, int others) {

        static Letters of(String text) {
            int han = 0;
            int kana = 0;
            int others = 0;
            for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
                int character = text.codePointAt(i);
                var script = UnicodeScript.of(character);
                if (script == UnicodeScript.HAN) {
                    han++;
                } else if (script == UnicodeScript.HIRAGANA || script == UnicodeScript.KATAKANA) {
                    kana++;
                } else if (Character.isLetter(character)) {
                    others++;
                }
            }
            return new Letters(han, kana, others);
        }

        boolean isJapanese() {
            return kana > 0;
        }

        /** The part of the text that is written in these characters, between 0 and 1. */
        double share() {
            double own = han + (double) kana;
            return own == 0 ? 0 : own / (own + others / LETTERS_PER_CHARACTER);
        }
    }

    static float[] encode(String text, boolean isJapanese) {
        return Loaded.ENCODER.vector(text, isJapanese);
    }

    private float[] vector(String text, boolean isJapanese) {
        var vector = unit(raw(text));
        var mean = isJapanese ? japaneseMean : chineseMean;
        for (int i = 0; i < DIMENSIONS; i++) {
            vector[i] -= mean[i];
        }
        return unit(vector);
    }

    private float[] raw(String text) {
        return model.embed(TextSegment.from(text)).content().vector();
    }

    /** The mean of the vectors of some sentences about anything. */
    private float[] mean(String resource) {
        var sentences = lines(resource);
        var mean = new float[DIMENSIONS];
        for (var sentence : sentences) {
            var vector = unit(raw(sentence));
            for (int i = 0; i < DIMENSIONS; i++) {
                mean[i] += vector[i] / sentences.size();
            }
        }
        return mean;
    }

    private static List<String> lines(String resource) {
        try (var lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(HanEncoder.class.getResourceAsStream(resource)), StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static float[] unit(float[] vector) {
        double squares = 0;
        for (float value : vector) {
            squares += (double) value * value;
        }
        var unit = new float[vector.length];
        for (int i = 0; i < vector.length && squares > 0; i++) {
            unit[i] = (float) (vector[i] / Math.sqrt(squares));
        }
        return unit;
    }
}
