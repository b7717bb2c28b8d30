package io.hiroba.social.search;

import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.TokenVector;
import io.hiroba.platform.text.TokenVector.Weight;
import io.hiroba.social.PostId;
import io.hiroba.social.search.PostIndexStore.PostText;

/**
 * An entry of the search index.
 *
 * @param tokens the text form of a tsvector
 */
record IndexEntry(PostId post, String tokens) {

    /** A first line longer than this is a paragraph and no title. */
    private static final int MAX_TITLE_LENGTH = 200;

    static IndexEntry of(PostText post) {
        var vector = new TokenVector().mark("@" + post.owner().hex());
        for (var tag : post.tags()) {
            vector.mark(tagToken(tag));
            vector.add(Analysis.tokens(tag), Weight.LABEL);
        }
        var text = Markdown.text(post.content());
        int line = text.indexOf('\n');
        vector.add(Analysis.tokens(text), line <= MAX_TITLE_LENGTH ? line : 0, Weight.TEXT);
        return new IndexEntry(post.post(), vector.text());
    }

    /** The token of a tag, which no word begins like. Authors have one of their own: an at sign and their id. */
    static String tagToken(String name) {
        return "#" + name;
    }

    /** An entry that no query finds. */
    static IndexEntry empty(PostId post) {
        return new IndexEntry(post, "");
    }
}
