package io.hiroba.knowledge;

import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.TokenVector;
import io.hiroba.platform.text.TokenVector.Weight;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A chunk to be written, with the words it is found by: to make one is work, best done before a transaction begins.
 *
 * @param words in the text form of PostgreSQL's tsvector
 */
public record NewChunk(String content, Location location, int tokens, String words) {

    /**
     * A chunk with the words that are in it.
     *
     * @param title the source's, whose words find the chunk too
     */
    public static NewChunk of(String title, String content, Location location, int tokens) {
        var clean = StorableText.of(content);
        var words = new TokenVector()
                .add(Analysis.tokens(title + "\n" + location.label()), Weight.TITLE)
                .add(Analysis.tokens(clean), Weight.TEXT)
                .text();
        return new NewChunk(clean, location, tokens, words);
    }

    /** What tells whether a chunk that is there already says the same, in hex. */
    String hash() {
        return sha256(content.getBytes(StandardCharsets.UTF_8));
    }

    /** The SHA-256 of {@code bytes}, in hex. */
    public static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
