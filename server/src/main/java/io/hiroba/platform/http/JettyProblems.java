package io.hiroba.platform.http;

import io.hiroba.platform.problem.Problem.Kind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Answers failures below the routes, such as a request line that is not HTTP, as problems. */
final class JettyProblems extends ErrorHandler {

    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int status,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, ProblemAnswer.CONTENT_TYPE);
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        response.write(true, ByteBuffer.wrap(Json.bytes(answer(status))), callback);
    }

    private static ProblemAnswer answer(int status) {
        var kind =
                Arrays.stream(Kind.values()).filter(k -> k.status() == status).findFirst();
        var title = kind.map(each -> each.title().toString()).orElseGet(() -> HttpStatus.getMessage(status));
        var code = switch (status) {
            case 413 -> "http.body-too-large";
            case 503 -> "http.unavailable";
            default -> status < 500 ? "http.bad-request" : "http.internal";
        };
        return new ProblemAnswer(
                ProblemAnswer.typeOf(code), title, status, title + ".", code, RequestId.random(), List.of());
    }
}
