package io.hiroba.records.transfer;

import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.Projects;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueFormat;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the members whom files name: by id, by a nickname that one member has, or by an e-mail address if the importer may see it, which
 * are their own and, for admins, all.
 */
public final class MemberNames {

    private final Projects projects;
    private final Users users;

    public MemberNames(Projects projects, Users users) {
        this.projects = projects;
        this.users = users;
    }

    /** The names in the lines of a chunk. */
    Names of(Reads reads, ProjectAccess access, List<SchemaAttribute> attributes) {
        return new Names(name -> find(reads, access, name), attributes, Integer.MAX_VALUE);
    }

    /**
     * The names in lines that are read outside a transaction.
     *
     * @param most how many are looked up
     */
    Names of(Db db, ProjectAccess access, List<SchemaAttribute> attributes, int most) {
        return new Names(name -> db.read(reads -> find(reads, access, name)), attributes, most);
    }

    private Optional<UserId> find(Reads reads, ProjectAccess access, String text) {
        var called = projects.called(reads, access, List.of(text)).getOrDefault(text, List.of());
        if (called.size() == 1) {
            return Optional.of(called.getFirst());
        }
        return called.isEmpty() && text.indexOf('@') > 0 ? byEmail(reads, access, text) : Optional.empty();
    }

    private Optional<UserId> byEmail(Reads reads, ProjectAccess access, String text) {
        try {
            return users.findByEmail(reads, Email.parse(text))
                    .filter(user -> access.caller().admin() || user.equals(access.user()));
        } catch (Problem _) {
            return Optional.empty();
        }
    }

    /** Each name is looked up once. */
    static final class Names {

        private final Function<String, Optional<UserId>> members;
        private final List<SchemaAttribute> attributes;
        private final int most;
        private final Map<String, Optional<UserId>> known = new HashMap<>();
        private final Set<String> open = new HashSet<>();

        private Names(Function<String, Optional<UserId>> members, List<SchemaAttribute> attributes, int most) {
            this.members = members;
            this.most = most;
            this.attributes = attributes.stream()
                    .filter(each -> each.isFormatted(ValueFormat.Kind.PERSON))
                    .toList();
        }

        /** Replaces names by ids; who is not found stays, for the validator to refuse. */
        void resolve(ObjectNode values) {
            open.clear();
            for (var attribute : attributes) {
                var value = values.get(attribute.name());
                if (value != null && value.isString()) {
                    values.set(attribute.name(), resolved(attribute, value));
                } else if (value != null && value.isArray()) {
                    var list = JsonNodeFactory.instance.arrayNode();
                    value.forEach(each -> list.add(each.isString() ? resolved(attribute, each) : each));
                    values.set(attribute.name(), list);
                }
            }
        }

        /** The attributes with names that were not looked up, of the values that were resolved last. */
        Set<String> open() {
            return open;
        }

        private JsonNode resolved(SchemaAttribute attribute, JsonNode value) {
            var text = value.stringValue().strip();
            if (Ids.isId(text)) {
                return JsonNodeFactory.instance.stringNode(text);
            }
            if (known.size() >= most && !known.containsKey(text)) {
                open.add(attribute.name());
                return value;
            }
            return known.computeIfAbsent(text, members)
                    .map(user -> (JsonNode) JsonNodeFactory.instance.stringNode(user.hex()))
                    .orElse(value);
        }
    }
}
