package io.hiroba.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.ProblemAnswer.FieldFault;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The results of a batch, in the order of the request. */
record BatchView(List<ItemView> items) {

    private static final int MULTI_STATUS = 207;

    /** A result: the id and version of a written record, or the problem as of a single request. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ItemView(
            int status,
            @Nullable String id,
            @Nullable Integer version,
            @Nullable String code,
            @Nullable String detail,
            @Nullable List<FieldFault> errors) {

        static ItemView of(int status, WriteResult outcome, Language language) {
            return switch (outcome) {
                case WriteResult.Written(var row) ->
                    new ItemView(status, row.id().toString(), row.version(), null, null, null);
                case WriteResult.Refused(var problem) ->
                    new ItemView(
                            problem.kind().status(),
                            null,
                            null,
                            problem.code(),
                            problem.detail().in(language),
                            problem.fields().stream()
                                    .map(error -> named(error, language))
                                    .toList());
            };
        }

        private static FieldFault named(FieldError error, Language language) {
            return new FieldFault(
                    error.field().isEmpty() ? "body" : error.field(),
                    error.message().in(language));
        }
    }

    /** @param status of a written record */
    static BatchView of(int status, List<WriteResult> outcomes, Language language) {
        return new BatchView(outcomes.stream()
                .map(outcome -> ItemView.of(status, outcome, language))
                .toList());
    }

    /** One status if all were written, or one per record. */
    static Answer answer(int status, List<WriteResult> outcomes, Language language) {
        return new Answer(statusOf(status, outcomes), Map.of(), Json.text(of(status, outcomes, language)));
    }

    /** {@code status} if all were written. */
    static int statusOf(int status, List<WriteResult> outcomes) {
        return outcomes.stream().anyMatch(WriteResult.Refused.class::isInstance) ? MULTI_STATUS : status;
    }
}
