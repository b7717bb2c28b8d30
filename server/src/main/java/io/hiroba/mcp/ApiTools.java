package io.hiroba.mcp;

import java.util.Set;

/** The tools of the Model Context Protocol for those who use them within the process. */
public final class ApiTools {

    private ApiTools() {}

    /** The names of all tools. */
    public static Set<String> names() {
        return McpTools.names();
    }
}
