package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.Kind;

/** The problems of fetching a page. */
final class FetchProblem {

    private FetchProblem() {}

    static KnowledgeProblem failed(Text why) {
        return new KnowledgeProblem(Kind.UNPROCESSABLE, "fetch-failed", "why", why);
    }

    static KnowledgeProblem timeout() {
        return new KnowledgeProblem(Kind.UNPROCESSABLE, "fetch-timeout");
    }

    /** Does not reveal what answers there, if anything. */
    static KnowledgeProblem privateAddress() {
        return new KnowledgeProblem(Kind.UNPROCESSABLE, "private-address");
    }
}
