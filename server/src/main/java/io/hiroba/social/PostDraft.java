package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.text.ScriptLanguage;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The content and settings of a post to be created or edited.
 *
 * @param lang null if it is to be guessed
 */
public record PostDraft(
        String content,
        List<String> tags,
        @Nullable PostId replyTo,
        boolean allowLikes,
        boolean allowReplies,
        @Nullable Language lang) {

    private static final int MAX_LENGTH = 10_000;
    private static final int MAX_LENGTH_OF_ADMINS = 65_535;

    public PostDraft {
        if (content.isBlank()) {
            throw SocialProblem.invalid("content", Text.of("social.field.empty"));
        }
        tags = Tags.parse(tags);
    }

    /** A post whose language is to be guessed. */
    public PostDraft(
            String content, List<String> tags, @Nullable PostId replyTo, boolean allowLikes, boolean allowReplies) {
        this(content, tags, replyTo, allowLikes, allowReplies, null);
    }

    /** A post that everybody may like and reply to. */
    public static PostDraft of(String content, String... tags) {
        return new PostDraft(content, List.of(tags), null, true, true);
    }

    public PostDraft inReplyTo(PostId post) {
        return new PostDraft(content, tags, post, allowLikes, allowReplies, lang);
    }

    /** The same in the language with this code; a problem if posts cannot have it. */
    public PostDraft inLanguage(String code) {
        var language = Language.of(code)
                .orElseThrow(
                        () -> SocialProblem.invalid("lang", Text.of("http.field.one-of", "values", Language.codes())));
        return new PostDraft(content, tags, replyTo, allowLikes, allowReplies, language);
    }

    /**
     * The same with the tags in its parsed content, and in its likely language unless one was chosen. Content that shows nothing is a
     * problem.
     *
     * @param author finds the language that the author reads
     */
    PostDraft completedFrom(Document document, Supplier<Language> author) {
        if (document.isBlank()) {
            throw SocialProblem.invalid("content", Text.of("social.field.empty"));
        }
        var likely = lang == null ? ScriptLanguage.of(document.text(), author).orElse(null) : lang;
        return new PostDraft(content, Tags.ofPost(tags, document), replyTo, allowLikes, allowReplies, likely);
    }

    @Nullable
    String langCode() {
        return lang == null ? null : lang.code();
    }

    /** The most characters; for admins the limit of the column. */
    public static int maxLength(boolean admin) {
        return admin ? MAX_LENGTH_OF_ADMINS : MAX_LENGTH;
    }

    void requireLength(Caller caller) {
        int limit = maxLength(caller.admin());
        if (content.codePointCount(0, content.length()) > limit) {
            throw SocialProblem.invalid("content", Text.of("social.field.too-long", "max", limit));
        }
    }
}
