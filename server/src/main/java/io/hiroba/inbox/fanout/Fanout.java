package io.hiroba.inbox.fanout;

import io.hiroba.accounts.Users;
import io.hiroba.platform.id.IdGenerator;
import java.time.Duration;
import java.time.InstantSource;

/** The services that mirror resources and people and create items about them, whatever the source. */
public final class Fanout {

    private final ItemListener listener;
    private final Namespaces namespaces;
    private final ResourceMirror resources;
    private final Notifier notifier;
    private final AutoResolver resolver;
    private final ExternalPeople people;
    private final Memberships memberships;

    /**
     * Composes them.
     *
     * @param accessGrace how long after somebody has lost access their items are deleted
     * @param listener is called on every change to items
     */
    public Fanout(IdGenerator ids, InstantSource clock, Users users, Duration accessGrace, ItemListener listener) {
        this.listener = listener;
        namespaces = new Namespaces(ids, clock);
        resources = new ResourceMirror(ids);
        notifier = new Notifier(ids, clock, namespaces, resources, listener);
        resolver = new AutoResolver(clock, listener, new ItemTimelines(ids, clock, namespaces, listener));
        people = new ExternalPeople(ids, users, notifier::accountLinked);
        memberships = new Memberships(clock, accessGrace);
    }

    public ItemListener listener() {
        return listener;
    }

    public Namespaces namespaces() {
        return namespaces;
    }

    public ResourceMirror resources() {
        return resources;
    }

    public Notifier notifier() {
        return notifier;
    }

    public AutoResolver resolver() {
        return resolver;
    }

    public ExternalPeople people() {
        return people;
    }

    public Memberships memberships() {
        return memberships;
    }
}
