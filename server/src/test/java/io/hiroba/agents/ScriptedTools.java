package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.model.ModelRequest.ToolDefinition;
import java.util.ArrayList;
import java.util.List;

/** Tools of any names, which keep what they were used for. */
final class ScriptedTools implements AgentTools {

    final List<String> used = new ArrayList<>();

    @Override
    public List<ToolDefinition> definitions(List<String> names) {
        return names.stream().map(each -> new ToolDefinition(each, "", "{}")).toList();
    }

    @Override
    public ToolAnswer use(String tool, String input, UserId agent, UserId caller) {
        used.add(tool + " " + input);
        return new ToolAnswer("seen", false);
    }
}
