package io.hiroba.platform.text;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The ways to write a pair of characters that find one another: kana of either script, simplified and traditional Chinese characters.
 * What is stored has the characters as they were written; queries have the others.
 */
public final class CharacterForms {

    /** A pair of characters, which may have marks. */
    private static final int MAX_CHARACTERS = 4;

    private static final int KANA_APART = 'ア' - 'あ';

    private CharacterForms() {}

    /** All ways to write a term, itself first; itself alone if it is longer than a pair of characters. */
    public static Set<String> of(String term) {
        var all = new LinkedHashSet<String>();
        all.add(term);
        if (term.length() <= MAX_CHARACTERS) {
            add(term, 0, "", all);
        }
        return all;
    }

    /** The one by which terms are compared. */
    public static String plain(String term) {
        var plain = new StringBuilder();
        term.chars()
                .forEach(c ->
                        plain.append(isKatakana(c) ? (char) (c - KANA_APART) : ChineseCharacters.simplified((char) c)));
        return plain.toString();
    }

    private static void add(String term, int at, String before, Set<String> all) {
        if (at == term.length()) {
            all.add(before);
            return;
        }
        forms(term.charAt(at)).chars().forEach(c -> add(term, at + 1, before + (char) c, all));
    }

    private static String forms(char c) {
        if (isKatakana(c)) {
            return "" + c + (char) (c - KANA_APART);
        }
        return isHiragana(c) ? "" + c + (char) (c + KANA_APART) : ChineseCharacters.forms(c);
    }

    private static boolean isKatakana(int c) {
        return c >= 'ァ' && c <= 'ヶ';
    }

    private static boolean isHiragana(int c) {
        return c >= 'ぁ' && c <= '\u3096';
    }
}
