package io.hiroba.platform.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Adjacent words to search for; mostly a single one. */
public record Phrase(List<Term> terms) {

    /**
     * One word of a phrase.
     *
     * @param offset its distance from the first word
     */
    public record Term(String lexeme, int offset) {}

    /** A part of a text, from and to a character. */
    public record Span(int start, int end) {}

    public Phrase {
        terms = List.copyOf(terms);
    }

    /** The phrase that finds {@code text}; without terms if there is no word in it. */
    public static Phrase of(String text) {
        var terms = new ArrayList<Term>();
        for (var token : Analysis.tokens(text)) {
            if (!token.part()) {
                terms.add(new Term(token.term(), token.position()));
            }
        }
        return new Phrase(terms);
    }

    /** A phrase of one term that no text holds by itself: a mark that was put beside its words. */
    public static Phrase mark(String mark) {
        return new Phrase(List.of(new Term(mark, 0)));
    }

    public boolean isEmpty() {
        return terms.isEmpty();
    }

    /** Its words in any order and distance, as PostgreSQL's tsquery in text form, which an index answers exactly. */
    public String keys() {
        return terms.stream()
                .map(term -> TokenVector.quote(term.lexeme()))
                .collect(Collectors.joining(" & ", "(", ")"));
    }

    /** As PostgreSQL's tsquery, in text form. */
    public String tsquery() {
        var query = new StringBuilder("(");
        int before = 0;
        for (var term : terms) {
            if (query.length() > 1) {
                query.append(" <").append(term.offset() - before).append("> ");
            }
            query.append(TokenVector.quote(term.lexeme()));
            before = term.offset();
        }
        return query.append(')').toString();
    }

    /** The occurrences of the phrase among the tokens of a text. */
    List<Span> in(Map<String, List<Token>> byTerm) {
        var spans = new ArrayList<Span>();
        if (terms.isEmpty()) {
            return spans;
        }
        var others = new ArrayList<Map<Integer, Token>>();
        for (var term : terms.subList(1, terms.size())) {
            var byPosition = new HashMap<Integer, Token>();
            byTerm.getOrDefault(term.lexeme(), List.of()).forEach(token -> byPosition.put(token.position(), token));
            others.add(byPosition);
        }
        for (var first : byTerm.getOrDefault(terms.getFirst().lexeme(), List.of())) {
            int end = first.end();
            boolean whole = true;
            for (int i = 0; whole && i < others.size(); i++) {
                int offset = terms.get(i + 1).offset() - terms.getFirst().offset();
                var token = others.get(i).get(first.position() + offset);
                whole = token != null;
                end = token == null ? end : Math.max(end, token.end());
            }
            if (whole) {
                spans.add(new Span(first.start(), end));
            }
        }
        return spans;
    }

    /** The lexemes of all {@code phrases}. */
    static Set<String> lexemes(List<Phrase> phrases) {
        var lexemes = new HashSet<String>();
        phrases.forEach(phrase -> phrase.terms.forEach(term -> lexemes.add(term.lexeme())));
        return lexemes;
    }
}
