package io.hiroba.knowledge.search;

import io.hiroba.knowledge.search.Prompt.Turn;
import io.hiroba.platform.text.Analysis;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The search query of a question that may follow others: by the model, or of the words of the questions before it.
 *
 * @param question the question by itself
 * @param earlier words of the questions before it that it may leave out; empty if it stands alone
 */
record FollowUpQuery(String question, String earlier) {

    private static final int MAX_LENGTH = 500;
    private static final int EARLIER_QUESTIONS = 3;

    /** Of a question that stands alone. */
    static FollowUpQuery of(String question) {
        return new FollowUpQuery(question, "");
    }

    /** @param calls receives what cancels the call to the model */
    static FollowUpQuery of(String question, List<Turn> before, Optional<ChatModel> model, Consumer<Runnable> calls) {
        if (before.isEmpty()) {
            return of(question);
        }
        return model.flatMap(chat -> condensed(chat.ask(Prompt.condensing(question, before)), calls))
                .map(FollowUpQuery::of)
                .orElseGet(() -> widened(question, before));
    }

    /** Empty if the model does not answer, or does not keep to one short line. */
    private static Optional<String> condensed(ChatCompletion call, Consumer<Runnable> calls) {
        calls.accept(call::cancel);
        var text = new StringBuilder();
        try {
            call.run(part -> {
                text.append(part);
                if (text.length() > MAX_LENGTH) {
                    call.cancel();
                }
            });
        } catch (ChatException e) {
            return Optional.empty();
        }
        var query = Analysis.clean(text.toString()).strip();
        return query.isEmpty() || query.length() > MAX_LENGTH || query.contains("\n")
                ? Optional.empty()
                : Optional.of(query);
    }

    private static FollowUpQuery widened(String question, List<Turn> before) {
        if (!QuestionWords.pointBack(question) && !QuestionWords.areFew(question)) {
            return of(question);
        }
        var questions =
                before.stream().filter(turn -> turn.role().equals("user")).toList();
        var words = new LinkedHashSet<String>();
        // Up to the one that says by itself what it is about.
        for (var earlier :
                questions.reversed().stream().limit(EARLIER_QUESTIONS).toList()) {
            words.addAll(QuestionWords.of(earlier.content()));
            if (!QuestionWords.pointBack(earlier.content()) && !QuestionWords.areFew(earlier.content())) {
                break;
            }
        }
        words.removeAll(QuestionWords.of(question));
        var wide = new FollowUpQuery(question, String.join(" ", words));
        return wide.text().length() <= QuestionAnswering.Question.MAX_LENGTH ? wide : of(question);
    }

    /** All of its words. */
    String text() {
        return earlier.isEmpty() ? question : question + " " + earlier;
    }

    boolean standsAlone() {
        return earlier.isEmpty();
    }

    /** Whether the question cannot be understood by itself; another one with few words can be about something else. */
    boolean pointsBack() {
        return !earlier.isEmpty() && QuestionWords.pointBack(question);
    }

    /** Whether it goes on from the questions before it with words of its own: what has none of these is about what was asked before. */
    boolean goesOn() {
        return !earlier.isEmpty() && QuestionWords.goOn(question);
    }

    /**
     * The passages that have words of the question itself, those with most of them first; all of them where none has any.
     *
     * @param all without repetitions, in the order of what the earlier words say about them
     */
    List<SearchHit> ofOwnWords(List<SearchHit> all) {
        var subjects = QuestionWords.subjects(question);
        var counts = new HashMap<SearchHit, Long>();
        for (var hit : all) {
            var found = SpelledTerm.plain(hit.sourceTitle() + "\n" + hit.label() + "\n" + hit.content());
            counts.put(hit, subjects.stream().filter(found::contains).count());
        }
        long most = counts.values().stream().mapToLong(Long::longValue).max().orElse(0);
        return most == 0
                ? all
                : all.stream()
                        .filter(hit -> counts.getOrDefault(hit, 0L) * 2 >= most)
                        .sorted(Comparator.comparing((SearchHit hit) -> counts.getOrDefault(hit, 0L))
                                .reversed())
                        .toList();
    }

    /** The same without the words of the questions before it. */
    FollowUpQuery alone() {
        return of(question);
    }

    /** Whether a passage may be quoted as an answer: what the earlier words alone find is none to a question that does not point back. */
    boolean isLikelyAnswer(ExtractedAnswer.Passage passage) {
        return !(standsAlone() && QuestionWords.of(question).isEmpty())
                && passage.isLikely(text())
                && (standsAlone() || pointsBack() || ExtractedAnswer.coverage(question, passage.text()) > 0);
    }
}
