package io.hiroba.records.pages;

import io.hiroba.records.tuning.Proposal;
import java.util.ArrayList;
import java.util.List;

/** An index that would help, with the names by which its making is asked for. */
public record ProposalItem(String schema, List<String> attributes, String reason) {

    public ProposalItem {
        attributes = List.copyOf(attributes);
    }

    static ProposalItem of(Proposal proposal) {
        var names = new ArrayList<String>();
        var equality = proposal.index().equality();
        if (equality != null) {
            names.add(equality.name());
        }
        names.add(proposal.index().order().name());
        return new ProposalItem(proposal.schema().name(), names, proposal.reason());
    }

    public String about() {
        return attributes.size() == 1
                ? schema + " by " + attributes.getFirst()
                : "%s by %s where %s is the same".formatted(schema, attributes.getLast(), attributes.getFirst());
    }
}
