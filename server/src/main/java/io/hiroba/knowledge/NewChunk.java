package io.hiroba.knowledge;

import io.hiroba.platform.id.Sha256;
import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.SignedName;
import io.hiroba.platform.text.Token;
import io.hiroba.platform.text.TokenVector;
import io.hiroba.platform.text.TokenVector.Weight;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A chunk to insert with its search terms. Building one is expensive: do it before a transaction begins.
 *
 * @param terms the search terms in the text form of PostgreSQL's tsvector
 */
public record NewChunk(String content, ChunkLocation location, int tokens, String terms) {

    /**
     * A chunk with its search terms.
     *
     * @param title the title of the source, whose terms find the chunk too
     */
    public static NewChunk of(String title, String content, ChunkLocation location, int tokens) {
        var clean = StorableText.of(content);
        var terms = new TokenVector()
                .add(tokens(title + "\n" + location.label()), Weight.TITLE)
                .add(tokens(clean), Weight.TEXT)
                .text();
        return new NewChunk(clean, location, tokens, terms);
    }

    private static List<Token> tokens(String text) {
        return SignedName.with(Analysis.tokens(text), text);
    }

    /** The SHA-256 of its content in hex: chunks with the same hash share their vector. */
    String hash() {
        return Sha256.hex(content.getBytes(StandardCharsets.UTF_8));
    }
}
