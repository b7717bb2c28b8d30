package io.hiroba.social.search;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.text.CharacterForms;
import io.hiroba.platform.text.Phrase;
import io.hiroba.platform.text.TokenVector;
import io.hiroba.platform.text.VocabularyStore;
import io.hiroba.platform.text.VocabularyStore.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Expands a query to the posts that hold its words as parts of longer ones, or with other forms of their characters, and are not found by
 * the words themselves. Of several words in a row, as in {@code ERR-42}, the first may be the end of a word and the last the beginning of
 * one.
 */
final class PartialWords {

    private static final int MAX_WORDS = 8;
    private static final int MAX_TERMS = 40;
    private static final int MAX_SHOWN = 200;

    /** Behind Latin, Greek and Cyrillic: what follows has no vocabulary. */
    private static final int LAST_CHARACTER = 0x052F;

    private final VocabularyStore vocabulary;

    PartialWords(VocabularyStore vocabulary) {
        this.vocabulary = vocabulary;
    }

    /** A word or phrase of a query: for each of its terms those that may stand in its place. */
    private record Expanded(Phrase phrase, List<List<String>> places) {

        boolean isLonger() {
            return places.stream().anyMatch(terms -> terms.size() > 1);
        }

        String keys() {
            return places.stream().map(PartialWords::anyOf).collect(Collectors.joining(" & ", "(", ")"));
        }

        String tsquery() {
            var query = new StringBuilder("(");
            for (int i = 0; i < places.size(); i++) {
                int distance = i == 0
                        ? 0
                        : phrase.terms().get(i).offset()
                                - phrase.terms().get(i - 1).offset();
                query.append(i == 0 ? "" : " <" + distance + "> ").append(anyOf(places.get(i)));
            }
            return query.append(')').toString();
        }

        Stream<Phrase> shown() {
            var phrases = Stream.of(List.<Phrase.Term>of());
            for (int i = 0; i < places.size(); i++) {
                int offset = phrase.terms().get(i).offset();
                var terms = places.get(i);
                phrases = phrases.flatMap(begun -> terms.stream()
                        .map(term -> Stream.concat(begun.stream(), Stream.of(new Phrase.Term(term, offset)))
                                .toList()));
            }
            return phrases.limit(MAX_SHOWN).map(Phrase::new);
        }
    }

    private static String anyOf(List<String> terms) {
        return terms.stream().map(TokenVector::quote).collect(Collectors.joining(" | ", "(", ")"));
    }

    /** Empty if no word of the query is a part of a longer one, or has other forms. */
    Optional<PostSearchQuery.Terms> expand(Reads reads, PostSearchQuery query) {
        var expanded = new ArrayList<Expanded>();
        for (var phrase : query.words()) {
            boolean exact = query.quoted().contains(phrase) || expanded.size() >= MAX_WORDS;
            expanded.add(exact ? whole(phrase) : expanded(reads, phrase));
        }
        return expanded.stream().anyMatch(Expanded::isLonger) ? Optional.of(terms(query, expanded)) : Optional.empty();
    }

    private static PostSearchQuery.Terms terms(PostSearchQuery query, List<Expanded> expanded) {
        var parts = query.withWords(expanded.stream().map(Expanded::tsquery).toList());
        var matching = parts + " & !(" + query.wordsMatching() + ")";
        boolean simple = expanded.stream().allMatch(each -> each.places().size() == 1);
        return new PostSearchQuery.Terms(
                matching,
                simple && query.isAnsweredByKeys()
                        ? matching
                        : query.keysWithWords(
                                expanded.stream().map(Expanded::keys).toList()),
                expanded.stream().map(Expanded::tsquery).collect(Collectors.joining(" & ")),
                expanded.stream().flatMap(Expanded::shown).limit(MAX_SHOWN).toList());
    }

    private static Expanded whole(Phrase phrase) {
        return new Expanded(
                phrase,
                phrase.terms().stream().map(term -> List.of(term.lexeme())).toList());
    }

    private Expanded expanded(Reads reads, Phrase phrase) {
        var places = new ArrayList<List<String>>();
        int last = phrase.terms().size() - 1;
        for (int i = 0; i <= last; i++) {
            var lexeme = phrase.terms().get(i).lexeme();
            var terms = CharacterForms.of(lexeme);
            if (i == 0 || i == last) {
                var place = last == 0 ? Place.ANYWHERE : i == 0 ? Place.END : Place.START;
                if (lexeme.codePointAt(0) <= LAST_CHARACTER && VocabularyStore.finds(lexeme, place)) {
                    terms.addAll(vocabulary.terms(reads, lexeme, place, MAX_TERMS));
                }
            }
            places.add(List.copyOf(terms));
        }
        return new Expanded(phrase, places);
    }
}
