package io.hiroba.knowledge;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.text.Analysis;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Manages the rules by which posts become sources: everybody for their own posts, admins for a tag of everybody's. */
public final class PostRules {

    private static final int MAX_RULES = 50;
    private static final int MAX_TAG_LENGTH = 50;
    private static final Pattern TAG = Pattern.compile("[^\\s#]+");

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final WakeSignal changed;
    private final AuditLog audit;
    private final PostRuleStore store = new PostRuleStore();

    /** @param changed raised when a rule was turned on or off */
    public PostRules(Db db, IdGenerator ids, InstantSource clock, WakeSignal changed) {
        this.changed = changed;
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.audit = new AuditLog(db);
    }

    /**
     * A rule that was turned on.
     *
     * @param isNew false if it was on already
     */
    public record Added(PostRule rule, boolean isNew) {}

    /** The caller's own rules, and those for everybody's posts. */
    public List<PostRule> list(Caller caller) {
        return db.read(reads -> store.list(reads, caller.user()));
    }

    /** Turns a rule on: for the caller's posts or, if they are an admin, for everybody's with a tag. */
    public Added add(Caller caller, @Nullable String tag, boolean everyone) {
        if (everyone) {
            caller.requireAdmin();
            if (tag == null) {
                throw KnowledgeProblem.invalid("tag", Text.of("knowledge.field.tag-needed"));
            }
        }
        var name = tag == null ? null : tag(tag);
        var owner = everyone ? null : caller.user();
        return db.inTransaction(tx -> {
            store.lock(tx, caller.user());
            var known = store.find(tx, owner, name);
            if (known.isPresent()) {
                return new Added(known.get(), false);
            }
            if (store.count(tx, owner) >= MAX_RULES) {
                throw new KnowledgeProblem(Kind.CONFLICT, "too-many-rules", "max", MAX_RULES);
            }
            var id = new PostRuleId(ids.next());
            store.insert(tx, id, owner, name, clock.instant());
            record(tx, caller, AuditLog.Action.POST_RULE_ADDED, id, owner, Changes.NONE.with("tag", null, name));
            tx.afterCommit(changed::raise);
            return new Added(store.find(tx, owner, name).orElseThrow(), true);
        });
    }

    private static String tag(String typed) {
        var name =
                typed.length() > 4 * MAX_TAG_LENGTH ? "" : Analysis.name(typed).replaceFirst("^#", "");
        if (name.codePointCount(0, name.length()) > MAX_TAG_LENGTH
                || !TAG.matcher(name).matches()) {
            throw KnowledgeProblem.invalid("tag", Text.of("knowledge.field.tag", "max", MAX_TAG_LENGTH));
        }
        return name;
    }

    /** Turns a rule off; sources that no other rule covers are deleted soon. */
    public void delete(Caller caller, PostRuleId id) {
        db.useTransaction(tx -> {
            var rule = store.find(tx, id)
                    .filter(found -> isReadable(caller, found.owner()))
                    .orElseThrow(PostRules::noRule);
            if (rule.owner() == null) {
                caller.requireAdmin();
            }
            store.end(tx, id);
            var changes = Changes.NONE.with("tag", rule.tag(), null);
            record(tx, caller, AuditLog.Action.POST_RULE_REMOVED, id, rule.owner(), changes);
            tx.afterCommit(changed::raise);
        });
    }

    /** Rules for one's own posts are one's own business. */
    private void record(
            Tx tx, Caller caller, AuditLog.Action action, PostRuleId id, @Nullable UserId owner, Changes changes) {
        if (!caller.user().equals(owner)) {
            audit.record(tx, caller, action, new Target(TargetKind.POST_RULE, id.hex(), null, owner), changes);
        }
    }

    private static boolean isReadable(Caller caller, @Nullable UserId owner) {
        return owner == null || caller.mayChange(owner);
    }

    private static KnowledgeProblem noRule() {
        return new KnowledgeProblem(Kind.NOT_FOUND, "no-rule");
    }
}
