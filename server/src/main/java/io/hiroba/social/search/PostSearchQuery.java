package io.hiroba.social.search;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.text.Phrase;
import io.hiroba.platform.text.TokenVector;
import io.hiroba.social.SocialProblem;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A search query: words and "phrases in quotes", all of which must be there, {@code -exclusions}, {@code
 * tag:name} and {@code from:nickname-or-id}. Whatever else is typed is plain text.
 *
 * @param tags tags that must all be there
 * @param authors any of whom must have written the post, together with {@code nicknames}
 * @param quoted those of {@code words} that were in quotes, and are no parts of other words
 * @param missing how many of {@code words} a post may lack
 */
public record PostSearchQuery(
        List<Phrase> words,
        List<Phrase> tags,
        List<Phrase> excluded,
        List<UserId> authors,
        List<String> nicknames,
        Set<Phrase> quoted,
        int missing) {

    public static final int MAX_LENGTH = 200;
    static final int MAX_TERMS = 20;
    /** In all phrases: in a script without spaces nearly every character is one. */
    static final int MAX_LEXEMES = 60;

    public PostSearchQuery {
        words = List.copyOf(words);
        tags = List.copyOf(tags);
        excluded = List.copyOf(excluded);
        authors = List.copyOf(authors);
        nicknames = List.copyOf(nicknames);
        quoted = Set.copyOf(quoted);
    }

    /**
     * Parses what was typed.
     *
     * @throws SocialProblem {@code social.bad-query} if it is too long or empty
     */
    public static PostSearchQuery parse(String typed) {
        if (typed.codePointCount(0, typed.length()) > MAX_LENGTH) {
            throw SocialProblem.badQuery(Text.of("social.query.too-long", "max", MAX_LENGTH));
        }
        var query = new PostSearchParser(typed).read();
        if (query.terms() > MAX_TERMS) {
            throw SocialProblem.badQuery(Text.of("social.query.too-many-terms", "max", MAX_TERMS));
        }
        if (!query.lexemes().allMatch(TokenVector::holds)) {
            throw SocialProblem.badQuery(Text.of("social.query.long-tag"));
        }
        if (query.lexemes().count() > MAX_LEXEMES) {
            throw SocialProblem.badQuery(Text.of("social.query.too-many-words", "max", MAX_LEXEMES));
        }
        if (query.terms() == 0) {
            throw SocialProblem.badQuery(Text.of("social.query.empty"));
        }
        if (query.terms() == query.excluded.size()) {
            throw SocialProblem.badQuery(Text.of("social.query.only-exclusions"));
        }
        return query;
    }

    /** The same query for posts that may lack as many of its words; those that have more of them rank higher. */
    public PostSearchQuery allowingMissing(int count) {
        return new PostSearchQuery(words, tags, excluded, authors, nicknames, quoted, count);
    }

    private int terms() {
        return words.size() + tags.size() + excluded.size() + authors.size() + nicknames.size();
    }

    private Stream<String> lexemes() {
        return Stream.of(words, tags, excluded)
                .flatMap(List::stream)
                .flatMap(phrase -> phrase.terms().stream())
                .map(Phrase.Term::lexeme);
    }

    boolean byAnyone() {
        return authors.isEmpty() && nicknames.isEmpty();
    }

    /**
     * All but the authors, as PostgreSQL's tsqueries in text form.
     *
     * @param matching empty if only authors were asked for
     * @param keys the part of {@code matching} that the index can answer
     * @param ranking the words alone, to rank by; empty if there are none
     * @param shown the phrases to highlight
     */
    record Terms(String matching, String keys, String ranking, List<Phrase> shown) {

        Terms {
            shown = List.copyOf(shown);
        }
    }

    Terms wholeWords() {
        return new Terms(matching(), keys(), ranking(), words);
    }

    /** All but the authors, as PostgreSQL's tsquery in text form; empty if only authors were asked for. */
    String matching() {
        return withWords(words.stream().map(Phrase::tsquery).toList());
    }

    /** As {@link #matching}, with other words: each a tsquery. */
    String withWords(List<String> others) {
        return Stream.of(
                        enough(others),
                        tags.stream().map(Phrase::tsquery),
                        excluded.stream().map(phrase -> "!" + phrase.tsquery()))
                .flatMap(Function.identity())
                .collect(Collectors.joining(" & "));
    }

    /** The words alone, of which as many are there as must be. */
    String wordsMatching() {
        return enough(words.stream().map(Phrase::tsquery).toList()).collect(Collectors.joining(" & "));
    }

    private Stream<String> enough(List<String> terms) {
        return missing == 0 || terms.isEmpty() ? terms.stream() : Stream.of(atLeast(terms.size() - missing, terms));
    }

    private static String atLeast(int count, List<String> terms) {
        if (count >= terms.size()) {
            return String.join(" & ", terms);
        }
        if (count <= 1) {
            return "(" + String.join(" | ", terms) + ")";
        }
        var others = terms.subList(1, terms.size());
        return "((%s & %s) | (%s))".formatted(terms.getFirst(), atLeast(count - 1, others), atLeast(count, others));
    }

    /** Whether the order of words does not matter, except for the words themselves. */
    boolean isAnsweredByKeys() {
        return excluded.stream().allMatch(phrase -> phrase.terms().size() == 1);
    }

    /** The part of {@link #matching} that the index can answer: the same words in any order, a superset of the matches. */
    String keys() {
        return keysWithWords(words.stream().map(Phrase::keys).toList());
    }

    /** As {@link #keys}, with other words: each a tsquery without an order. */
    String keysWithWords(List<String> others) {
        return Stream.of(
                        enough(others),
                        tags.stream().map(Phrase::keys),
                        excluded.stream()
                                .filter(phrase -> phrase.terms().size() == 1)
                                .map(phrase -> "!" + phrase.keys()))
                .flatMap(Function.identity())
                .collect(Collectors.joining(" & "));
    }

    /** The words alone, to rank by; empty if there are none. */
    String ranking() {
        return words.stream().map(Phrase::tsquery).collect(Collectors.joining(" & "));
    }
}
