package io.hiroba.accounts;

import io.hiroba.platform.id.Sha256;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A code that replaces a lost second factor once: 80 random bits, as 16 letters and digits that are not mistaken for each other.
 * So many bits need no slow hash.
 */
record RecoveryCode(String characters) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
    private static final int LENGTH = 16;
    private static final int GROUP = 4;

    static RecoveryCode random() {
        return new RecoveryCode(RANDOM.ints(LENGTH, 0, ALPHABET.length())
                .mapToObj(index -> ALPHABET.substring(index, index + 1))
                .collect(Collectors.joining()));
    }

    /** Reads what was typed as a code of either kind: without spaces and dashes, in the characters that codes are of. */
    static String normalized(String typed) {
        return Normalizer.normalize(typed, Normalizer.Form.NFKC)
                .replaceAll("[\\s\\p{Pd}]", "")
                .toLowerCase(Locale.ROOT);
    }

    boolean isWellFormed() {
        return characters.length() == LENGTH && characters.chars().allMatch(each -> ALPHABET.indexOf(each) >= 0);
    }

    /** As it is shown: four groups of four. */
    String text() {
        return characters.replaceAll("(.{" + GROUP + "})(?=.)", "$1-");
    }

    /** With the owner, so that the same code of two accounts would not look the same. */
    byte[] hash(UserId owner) {
        return Sha256.of("recovery-code:" + owner.hex() + ":" + characters);
    }

    @Override
    public String toString() {
        return "RecoveryCode[…]";
    }
}
