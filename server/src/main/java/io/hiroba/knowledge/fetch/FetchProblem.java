package io.hiroba.knowledge.fetch;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.problem.Problem.Kind;

/** What can go wrong with fetching, as those who asked for it are told. */
final class FetchProblem {

    private FetchProblem() {}

    static KnowledgeProblem failed(String why) {
        return new KnowledgeProblem(Kind.UNPROCESSABLE, "fetch-failed", "The page cannot be fetched. " + why);
    }

    static KnowledgeProblem timeout() {
        return new KnowledgeProblem(
                Kind.UNPROCESSABLE, "fetch-timeout", "The page cannot be fetched. It takes too long to answer.");
    }

    /** Says nothing of what answers there, or whether anything does. */
    static KnowledgeProblem privateAddress() {
        return new KnowledgeProblem(
                Kind.UNPROCESSABLE,
                "private-address",
                "The address leads into a private network. Only pages that anybody can reach are fetched.");
    }
}
