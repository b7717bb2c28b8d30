package io.hiroba.social.search;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.TokenVector;
import io.hiroba.platform.text.TokenVector.Weight;
import io.hiroba.social.PostId;
import java.util.List;

/**
 * What a post is found by.
 *
 * @param tokens the text form of a tsvector
 */
record IndexEntry(PostId post, String tokens) {

    /** A first line longer than this is a paragraph and no title. */
    private static final int LONGEST_TITLE = 200;

    static IndexEntry of(PostId post, UserId owner, String content, List<String> tags) {
        var vector = new TokenVector().mark(Marks.author(owner.hex()));
        for (var tag : tags) {
            vector.mark(Marks.tag(tag));
            vector.add(Analysis.tokens(tag), Weight.LABEL);
        }
        var text = Markdown.text(content);
        int line = text.indexOf('\n');
        vector.add(Analysis.tokens(text), line <= LONGEST_TITLE ? line : 0, Weight.TEXT);
        return new IndexEntry(post, vector.text());
    }
}
