package io.hiroba.platform.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.Status;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProblemStatusTest {

    @ParameterizedTest
    @CsvSource({
        "INVALID,INVALID_ARGUMENT",
        "UNAUTHENTICATED,UNAUTHENTICATED",
        "FORBIDDEN,PERMISSION_DENIED",
        "NOT_FOUND,NOT_FOUND",
        "METHOD_NOT_ALLOWED,UNIMPLEMENTED",
        "CONFLICT,FAILED_PRECONDITION",
        "GONE,OUT_OF_RANGE",
        "PRECONDITION_FAILED,ABORTED",
        "TOO_LARGE,RESOURCE_EXHAUSTED",
        "UNSUPPORTED_MEDIA_TYPE,INVALID_ARGUMENT",
        "UNPROCESSABLE,INVALID_ARGUMENT",
        "RATE_LIMITED,RESOURCE_EXHAUSTED",
        "INTERNAL,INTERNAL",
        "UNAVAILABLE,UNAVAILABLE"
    })
    void everyKindOfProblemHasItsStatus(Problem.Kind kind, Status.Code code) {
        assertThat(ProblemStatus.status(kind).getCode()).isEqualTo(code);
    }

    @Test
    void aProblemIsToldWithItsSentenceAndItsCode() {
        var told = ProblemStatus.reply(HttpProblem.invalid("limit", Text.of("http.field.boolean")), Language.ENGLISH);
        assertThat(told.status().getDescription()).isEqualTo("`limit` must be true or false.");
        assertThat(told.trailers().get(ProblemStatus.CODE)).isEqualTo("http.invalid");
    }

    @ParameterizedTest
    @CsvSource({
        "zh-CN,`limit`：必须是 true 或 false。,服务器出现问题。",
        "fr,`limit` must be true or false.,Something went wrong on our side."
    })
    void aCallIsAnsweredInTheLanguageThatItAsksFor(String accepted, String problem, String defect) {
        var headers = new Metadata();
        headers.put(Metadata.Key.of("accept-language", Metadata.ASCII_STRING_MARSHALLER), accepted);
        var language = ProblemStatus.language(headers);
        assertThat(ProblemStatus.reply(HttpProblem.invalid("limit", Text.of("http.field.boolean")), language)
                        .status()
                        .getDescription())
                .isEqualTo(problem);
        assertThat(ProblemStatus.reply(new IllegalStateException(), language)
                        .status()
                        .getDescription())
                .isEqualTo(defect);
    }

    @Test
    void aDatabaseThatIsAwayMeansLater() {
        var told = ProblemStatus.reply(new IllegalStateException(new SQLException("gone", "08006")), Language.ENGLISH);
        assertThat(told.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void whatWasNotMeantForTheCallerIsNotTold() {
        var told = ProblemStatus.reply(new IllegalStateException("password=hunter2"), Language.ENGLISH);
        assertThat(told.status().getCode()).isEqualTo(Status.Code.INTERNAL);
        assertThat(told.status().getDescription()).isEqualTo("Something went wrong on our side.");
    }
}
