package io.hiroba;

import io.hiroba.platform.http.Routes;
import java.util.List;

/** What comes from GitLab, wired. */
final class InboxGitlabWiring {

    final InboxWiring inbox;

    InboxGitlabWiring(InboxWiring inbox) {
        this.inbox = inbox;
    }

    List<AutoCloseable> background() {
        return List.of();
    }

    List<Routes> routes() {
        return List.of();
    }
}
