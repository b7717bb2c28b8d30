package io.hiroba.inbox.api;

import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Resolves the resources and users that API requests name. */
final class ApiLookup {

    private final Users users;
    private final ResourceMirror resources;
    private final ItemRecipientStore recipients = new ItemRecipientStore();

    ApiLookup(Users users, ResourceMirror resources) {
        this.users = users;
        this.resources = resources;
    }

    static boolean isId(String text) {
        return Ids.isId(text);
    }

    static ResourceType type(String text) {
        return ResourceType.find(text)
                .orElseThrow(() -> InboxProblem.notOneOf(
                        "resourceType", Stream.of(ResourceType.values()).map(ResourceType::text)));
    }

    /** The resource with this external id at the API, or with this id at any connection. */
    Optional<Resource> find(Reads reads, ResourceType type, String named) {
        return resources.find(reads, ConnectionId.API, type, named).or(() -> byId(reads, type, named));
    }

    Resource resource(Reads reads, ResourceType type, String named) {
        return find(reads, type, named).orElseThrow(InboxProblem::resourceNotFound);
    }

    private Optional<Resource> byId(Reads reads, ResourceType type, String named) {
        return isId(named)
                ? resources.find(reads, ResourceId.parse(named)).filter(found -> found.type() == type)
                : Optional.empty();
    }

    /** The accounts with these ids or e-mail addresses, each once. */
    List<UserId> users(Reads reads, List<String> all) {
        var byEmail = users.findByEmails(
                reads,
                all.stream()
                        .filter(user -> !isId(user))
                        .map(user -> Email.parse(user).value())
                        .toList());
        var byId = recipients.existing(
                reads, all.stream().filter(ApiLookup::isId).map(UserId::parse).toList());
        return all.stream()
                .map(user -> (isId(user)
                                ? Optional.of(UserId.parse(user)).filter(byId::contains)
                                : Optional.ofNullable(
                                        byEmail.get(Email.parse(user).value())))
                        .orElseThrow(() -> InboxProblem.unknownUser(user)))
                .distinct()
                .toList();
    }

    /** The account with this id or e-mail address. */
    UserId user(Reads reads, String user) {
        return (isId(user)
                        ? users.find(reads, UserId.parse(user))
                                .map(profile -> profile.user().id())
                        : users.findByEmail(reads, Email.parse(user)))
                .orElseThrow(() -> InboxProblem.unknownUser(user));
    }
}
