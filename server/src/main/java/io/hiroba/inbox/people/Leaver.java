package io.hiroba.inbox.people;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.resources.PersonId;
import java.util.Optional;

/** Somebody who has lost access to a namespace, and for whom it is time. */
record Leaver(NamespaceId namespace, PersonId person, Optional<UserId> user) {}
