package io.hiroba.platform.http;

import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.trace.TraceSpan;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers every failure as a problem; unexpected ones are logged, and the caller learns little of them. */
final class ProblemMapper {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemMapper.class);

    private final ErrorPage page;

    ProblemMapper(ErrorPage page) {
        this.page = page;
    }

    void register(RoutesConfig routes) {
        routes.exception(Problem.class, this::answer);
        routes.exception(HttpResponseException.class, (e, ctx) -> answer(fromJavalin(e, ctx), ctx));
        routes.exception(Exception.class, (e, ctx) -> answer(unexpected(e, ctx), ctx));
    }

    /** Answers an {@link Error}, such as an exhausted heap, with as little work as possible. */
    static void answerError(HttpServletResponse response, Error error) {
        LOG.error("A request failed", error);
        var answer = ProblemAnswer.of(
                HttpProblem.internal(), String.valueOf(response.getHeader(RequestId.HEADER)), Language.ENGLISH);
        response.setStatus(answer.status());
        response.setContentType(ProblemAnswer.CONTENT_TYPE);
        try {
            response.getOutputStream().write(Json.bytes(answer));
        } catch (IOException e) {
            LOG.debug("The caller went away", e);
        }
    }

    void answer(Problem problem, Context ctx) {
        TraceSpan.current().set("hiroba.problem", problem.code());
        var chosen = language(problem, ctx);
        var answer = ProblemAnswer.of(problem, RequestId.of(ctx), chosen);
        Body.discard(ctx);
        ctx.status(answer.status());
        ctx.header("Content-Language", chosen.tag());
        if (problem.retryAfter().isPositive()) {
            RetryAfter.set(ctx, problem.retryAfter());
        }
        if (!wantsPage(ctx) || !isRendered(ctx, answer)) {
            answer.write(ctx);
        }
    }

    /** The language of the answer: by the header alone where the server failed, since the reader's may be in the database. */
    private static Language language(Problem problem, Context ctx) {
        var failed = problem.kind() == Problem.Kind.INTERNAL || problem.kind() == Problem.Kind.UNAVAILABLE;
        return failed ? RequestLanguage.accepted(ctx) : RequestLanguage.of(ctx);
    }

    private boolean isRendered(Context ctx, ProblemAnswer answer) {
        try {
            page.render(ctx, answer);
            return true;
        } catch (RuntimeException e) {
            LOG.error("The page for {} could not be shown", answer.code(), e);
            ctx.status(answer.status());
            return false;
        }
    }

    /** Whether a browser asks for a page; the API always answers with problem JSON. */
    private static boolean wantsPage(Context ctx) {
        var accept = ctx.header("Accept");
        return accept != null && accept.toLowerCase(Locale.ROOT).contains("text/html") && !isApi(ctx);
    }

    private static boolean isApi(Context ctx) {
        return ctx.path().startsWith("/api/");
    }

    private static Problem unexpected(Exception e, Context ctx) {
        var bodyFault = Body.fault(e);
        if (bodyFault.isPresent()) {
            LOG.debug("The body of {} {} cannot be read: {}", ctx.method(), ctx.path(), e.toString());
            return bodyFault.get();
        }
        if (SqlState.isBadText(e)) {
            return HttpProblem.badText();
        }
        if (SqlState.isUnavailable(e)) {
            LOG.warn("The database did not answer {} {}", ctx.method(), ctx.path(), e);
            return SqlState.isDiskFull(e) ? HttpProblem.diskFull() : HttpProblem.unavailable();
        }
        LOG.error("{} {} failed", ctx.method(), ctx.path(), e);
        return HttpProblem.internal();
    }

    private static Problem fromJavalin(HttpResponseException e, Context ctx) {
        return switch (e.getStatus()) {
            case 404 -> HttpProblem.notFound();
            case 405 -> {
                var allowed = String.join(", ", e.getDetails().values());
                ctx.header("Allow", allowed);
                yield HttpProblem.methodNotAllowed(allowed);
            }
            case 413 -> HttpProblem.tooLarge();
            case 415 -> HttpProblem.unsupportedMediaType();
            default -> e.getStatus() < 500 ? HttpProblem.badRequest() : unexpected(e, ctx);
        };
    }
}
