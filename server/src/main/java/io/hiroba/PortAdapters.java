package io.hiroba;

import static java.util.stream.Collectors.toMap;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentApprovals;
import io.hiroba.agents.InboxItems;
import io.hiroba.deletion.Successions;
import io.hiroba.inbox.Inbox;
import io.hiroba.inbox.InboxPorts;
import io.hiroba.inbox.InboxPorts.ApprovalField;
import io.hiroba.inbox.InboxPorts.ApprovalInfo;
import io.hiroba.inbox.InboxPorts.ApprovalSummary;
import io.hiroba.inbox.InboxPorts.KnowledgeSource;
import io.hiroba.inbox.InboxPorts.RecordInfo;
import io.hiroba.inbox.ItemId;
import io.hiroba.knowledge.KnowledgeModule;
import io.hiroba.knowledge.ProjectRecords;
import io.hiroba.knowledge.SourceId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.problem.Problem;
import io.hiroba.records.ProjectId;
import io.hiroba.records.RecordPreviews;
import io.hiroba.records.RecordPreviews.RecordPreview;
import io.hiroba.records.RecordTexts;
import io.hiroba.records.RecordsModule;
import io.hiroba.records.RowId;
import io.hiroba.saga.Approvals;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.SagaRoles;
import io.hiroba.social.PostId;
import io.hiroba.social.Posts;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** Adapters of the ports of the inbox, of knowledge and of the deletion of accounts to the facades of the features behind them. */
final class PortAdapters {

    /** The attribute of records that names who is responsible for them. */
    private static final String ASSIGNEE = "assignee";

    private PortAdapters() {}

    static InboxPorts inbox(
            SagaRoles roles,
            Approvals approvals,
            AgentApprovals agents,
            Posts posts,
            KnowledgeModule knowledge,
            RecordPreviews records) {
        return new InboxPorts(
                new RoleOperators(roles),
                new PostTitles(posts),
                (reads, source) -> knowledge
                        .summary(reads, new SourceId(source))
                        .map(found -> new KnowledgeSource(
                                found.owner(), found.isPublic(), found.title(), found.hasDeadLetters())),
                new Records(records),
                new EitherApprovals(new SagaApprovals(approvals), agents));
    }

    /** Records as texts for knowledge. */
    static ProjectRecords records(RecordTexts texts) {
        return new TextsOfRecords(texts);
    }

    /** Projects of records and collections of knowledge as the deletion of an account tells of them. */
    static Successions successions(RecordsModule records, KnowledgeModule knowledge) {
        return new Heritage(records, knowledge);
    }

    private record Heritage(RecordsModule records, KnowledgeModule knowledge) implements Successions {

        @Override
        public List<Succession> projects(UserId user) {
            return records.successions(user).stream()
                    .map(each -> new Succession(each.project(), each.successor()))
                    .toList();
        }

        @Override
        public List<Succession> collections(UserId user) {
            return knowledge.successions().of(user).stream()
                    .map(each -> new Succession(each.collection(), each.successor()))
                    .toList();
        }
    }

    private record TextsOfRecords(RecordTexts texts) implements ProjectRecords {

        @Override
        public Optional<String> name(Tx tx, long id) {
            return texts.name(tx, id).map(name -> name.project() + " / " + name.schema());
        }

        @Override
        public List<ProjectText> texts(Tx tx, long id, Collection<UUID> rows) {
            return texts.texts(tx, id, rows).stream().map(TextsOfRecords::text).toList();
        }

        @Override
        public List<ProjectText> after(Tx tx, long id, UUID after, int limit) {
            return texts.after(tx, id, after, limit).stream()
                    .map(TextsOfRecords::text)
                    .toList();
        }

        private static ProjectText text(RecordTexts.RecordText text) {
            return new ProjectText(text.row(), text.title(), text.text(), text.url());
        }
    }

    /** The items of inboxes as agents are told of them, each with the rights of its owner. */
    static InboxItems items(Inbox inbox) {
        return (owner, id) -> {
            try {
                var item = inbox.item(new Caller(owner, false, new Caller.ByServer(), null), new ItemId(id));
                var about = item.resource();
                var author = item.author();
                return Optional.of(new InboxItems.Summary(
                        item.action().text(),
                        about.title(),
                        about.state(),
                        author == null ? "" : author.name(),
                        Optional.ofNullable(about.url()).orElse("")));
            } catch (Problem gone) {
                return Optional.empty();
            }
        };
    }

    /** The approvals of agents by their ids, and those of sagas. */
    private record EitherApprovals(SagaApprovals sagas, AgentApprovals agents) implements InboxPorts.ApprovalDecisions {

        @Override
        public ApprovalInfo info(Caller caller, long approval) {
            return agents.find(caller, approval)
                    .map(found -> new ApprovalInfo(
                            Ids.hex(found.id()),
                            null,
                            null,
                            null,
                            found.title(),
                            found.text(),
                            List.of(),
                            found.state(),
                            1,
                            found.state().equals("approved") ? 1 : 0,
                            found.openedAt(),
                            found.deadline()))
                    .orElseGet(() -> sagas.info(caller, approval));
        }

        @Override
        public void decide(Tx tx, Caller caller, long approval, boolean approve, String comment, JsonNode answers) {
            if (!agents.decide(tx, caller, approval, approve, comment)) {
                sagas.decide(tx, caller, approval, approve, comment, answers);
            }
        }

        @Override
        public Map<Long, ApprovalSummary> find(Reads reads, Collection<Long> approvals) {
            var found = new HashMap<>(sagas.find(reads, approvals));
            agents.deadlines(reads, approvals)
                    .forEach((id, deadline) -> found.put(id, new ApprovalSummary(null, deadline)));
            return found;
        }

        @Override
        public String mailPath(UserId assignee, long approval) {
            return agents.path(approval).orElseGet(() -> sagas.mailPath(assignee, approval));
        }
    }

    private record SagaApprovals(Approvals approvals) implements InboxPorts.ApprovalDecisions {

        @Override
        public ApprovalInfo info(Caller caller, long approval) {
            var found = approvals.get(caller, approval);
            return new ApprovalInfo(
                    Ids.hex(found.id()),
                    found.saga().toString(),
                    found.workflowName(),
                    found.requestedBy(),
                    found.title(),
                    found.text(),
                    found.form().stream()
                            .map(field -> new ApprovalField(
                                    field.name(),
                                    field.label(),
                                    field.type().name().toLowerCase(Locale.ROOT),
                                    field.required(),
                                    field.options()))
                            .toList(),
                    found.state().name().toLowerCase(Locale.ROOT),
                    found.quorum(),
                    found.approvals(),
                    found.openedAt(),
                    found.deadline());
        }

        @Override
        public void decide(Tx tx, Caller caller, long approval, boolean approve, String comment, JsonNode answers) {
            approvals.decide(tx, caller, approval, new Approvals.Answer(approve, comment, answers));
        }

        @Override
        public Map<Long, ApprovalSummary> find(Reads reads, Collection<Long> ids) {
            return approvals.summaries(reads, ids).stream()
                    .collect(toMap(
                            Approvals.Summary::id, each -> new ApprovalSummary(each.workflowName(), each.deadline())));
        }

        @Override
        public String mailPath(UserId assignee, long approval) {
            return approvals.mailPath(assignee, approval);
        }
    }

    private record RoleOperators(SagaRoles roles) implements InboxPorts.Operators {

        @Override
        public boolean include(Caller caller) {
            var role = roles.of(caller);
            return role == SagaRole.OPERATOR || role == SagaRole.ADMIN;
        }

        @Override
        public List<UserId> list(Reads reads) {
            return roles.operators(reads);
        }
    }

    private record PostTitles(Posts posts) implements InboxPorts.PostLookup {

        @Override
        public Optional<String> title(Reads reads, long post, UserId author) {
            return posts.content(reads, author, new PostId(post)).map(PostTitles::firstLine);
        }

        @Override
        public Optional<String> readableTitle(Caller caller, long post) {
            try {
                return Optional.of(
                        firstLine(posts.get(caller.user(), new PostId(post)).content()));
            } catch (Problem e) {
                return Optional.empty();
            }
        }

        /** The title of a post: its first line as plain text. */
        private static String firstLine(String content) {
            return Markdown.text(content)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .findFirst()
                    .orElse("");
        }
    }

    private record Records(RecordPreviews previews) implements InboxPorts.RecordLookup {

        @Override
        public boolean haveAssignee(Tx tx, long project, String schema) {
            return previews.namesPeople(tx, new ProjectId(project), schema, ASSIGNEE);
        }

        @Override
        public Optional<RecordInfo> find(Tx tx, long project, String schema, UUID row) {
            return previews.find(tx, new ProjectId(project), schema, new RowId(row))
                    .map(PreviewInfo::new);
        }
    }

    private record PreviewInfo(RecordPreview preview) implements RecordInfo {

        @Override
        public String title() {
            return preview.title(ASSIGNEE);
        }

        @Override
        public Optional<String> assignee() {
            return preview.text(ASSIGNEE);
        }

        @Override
        public Set<UserId> people() {
            return preview.people();
        }

        @Override
        public boolean isVisibleTo(UserId user) {
            return preview.isVisibleTo(user);
        }
    }
}
