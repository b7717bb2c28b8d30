package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.problem.Problem.Kind;

/** The problems of fetching a page. */
final class FetchProblem {

    private FetchProblem() {}

    static KnowledgeProblem failed(String why) {
        return new KnowledgeProblem(Kind.UNPROCESSABLE, "fetch-failed", "The page cannot be fetched: " + why);
    }

    static KnowledgeProblem timeout() {
        return new KnowledgeProblem(
                Kind.UNPROCESSABLE, "fetch-timeout", "The page cannot be fetched: the server took too long.");
    }

    /** Does not reveal what answers there, if anything. */
    static KnowledgeProblem privateAddress() {
        return new KnowledgeProblem(
                Kind.UNPROCESSABLE,
                "private-address",
                "The URL points into a private network. Only public pages are fetched.");
    }
}
