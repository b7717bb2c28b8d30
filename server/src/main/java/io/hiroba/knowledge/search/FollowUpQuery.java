package io.hiroba.knowledge.search;

import io.hiroba.knowledge.search.Prompt.Turn;
import io.hiroba.platform.text.Analysis;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Makes the search query of a question that follows others: by the model, or of the words of the questions before it. */
final class FollowUpQuery {

    private static final int MAX_LENGTH = 500;
    private static final int EARLIER_QUESTIONS = 2;

    private FollowUpQuery() {}

    /** @param calls receives what cancels the call to the model */
    static String of(String question, List<Turn> before, Optional<ChatModel> model, Consumer<Runnable> calls) {
        if (before.isEmpty()) {
            return question;
        }
        return model.flatMap(chat -> condensed(chat.ask(Prompt.condensing(question, before)), calls))
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

    private static String widened(String question, List<Turn> before) {
        if (!QuestionWords.relyOnContext(question)) {
            return question;
        }
        var questions =
                before.stream().filter(turn -> turn.role().equals("user")).toList();
        var words = new LinkedHashSet<String>();
        questions.reversed().stream()
                .limit(EARLIER_QUESTIONS)
                .forEach(earlier -> words.addAll(QuestionWords.of(earlier.content())));
        words.removeAll(QuestionWords.of(question));
        var more = words.stream().collect(Collectors.joining(" "));
        var query = question + " " + more;
        return query.length() <= QuestionAnswering.Question.MAX_LENGTH ? query : question;
    }
}
