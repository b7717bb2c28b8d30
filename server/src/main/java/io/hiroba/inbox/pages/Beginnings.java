package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.gitlab.connections.Connections;
import io.hiroba.inbox.items.View;
import io.hiroba.inbox.people.Identities;
import java.util.ArrayList;
import java.util.List;

/** Knows what somebody has yet to do for items to come to them. */
public final class Beginnings {

    private final Identities identities;
    private final Connections connections;

    public Beginnings(Identities identities, Connections connections) {
        this.identities = identities;
        this.connections = connections;
    }

    /** Where to do it and what it is; nothing beside lists that may well be empty. */
    List<Choice> of(Caller caller, InboxQuery query) {
        var beginnings = new ArrayList<Choice>();
        if (query.view() != View.TODO || query.isFiltered()) {
            return beginnings;
        }
        if (caller.admin() && connections.list(caller).isEmpty()) {
            beginnings.add(new Choice(InboxNav.CONNECTIONS, "Connect GitLab"));
        }
        if (identities.of(caller.user()).isEmpty()) {
            beginnings.add(new Choice(InboxNav.SETTINGS + "#names-heading", "Link your GitLab name"));
        }
        return beginnings;
    }
}
