export interface paths {
    "/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChooseAccount"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session/till": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SetTill"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Till"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session/step-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["StepUp"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SteppedUp"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenSessionList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["UpdateMe"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/me/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["EmptyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TotpSecret"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/me/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfirmTotp"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RecoveryCodes"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConsoleAccount"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["UpdateAccount"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConsoleAccount"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Usage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemberList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InviteMember"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvitedMember"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RemovedMember"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["UpdateMember"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/members/{id}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["EmptyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResetLink"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConsoleKeyList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateApiKey"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConsoleKey"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConsoleKey"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConsoleKey"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ChangeApiKey"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConsoleKey"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["RotateKey"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConsoleKey"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    actor?: string;
                    action?: string;
                    target?: string;
                    from?: string;
                    to?: string;
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuditEntryList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LiveSetup"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/issuer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IssuerBasics"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/today": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Today"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    of: "invoices";
                    by: "status" | "payment_status" | "fiscal_status";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Counts"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    q: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Found"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/documents/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TimelineEntryList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/webhooks/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    hours: "24" | "168";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EndpointStats"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    route?: string;
                    field?: string;
                    page?: number;
                    per_page?: number;
                    status?: string[];
                    method?: ("GET" | "POST" | "PUT" | "PATCH" | "DELETE")[];
                    path?: string;
                    key_id?: string;
                    code?: string[];
                    from?: string;
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RequestsWithActors"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/requests/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RequestGroupList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RequestWithActor"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/forms/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnfinishedForm"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnfinishedForm"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExportList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateExport"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Export"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/exports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Export"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Export"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SubmissionsList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateSubmissions"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Submissions"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Submissions"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Submissions"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    status?: components["schemas"]["InvoiceStatus"][];
                    type?: components["schemas"]["DocumentType"][];
                    customer_id?: string[];
                    number?: string[];
                    currency?: string[];
                    series?: string[];
                    payment_status?: components["schemas"]["PaymentStatus"][];
                    fiscal_status?: components["schemas"]["FiscalStatus"][];
                    corrects?: string[];
                    created_from?: string;
                    created_to?: string;
                    issue_from?: string;
                    issue_to?: string;
                    due_from?: string;
                    due_to?: string;
                    fiscal_deadline_to?: string;
                    q?: string;
                    sort?: components["schemas"]["DocumentSort"];
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvoiceList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateInvoice"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invoice"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    explain?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PreviewInvoice"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Preview"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateInvoiceBatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvoiceBatchResult"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/batch/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubmitInvoices"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvoiceBatchResult"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invoice"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["UpdateInvoice"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invoice"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/v1/invoices/{id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SubmitDocument"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invoice"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["VoidDocument"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invoice"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreatePayment"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Payment"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/{id}/payments/{pay}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    pay: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Payment"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HistoryEntryList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AttemptEntryList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResolveDocument"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Submission"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DocumentFile"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DocumentFile"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/invoices/{id}/ubl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UblFile"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    status?: components["schemas"]["ReceiptStatus"][];
                    type?: ("receipt" | "corrective" | "standard" | "credit_note")[];
                    customer_id?: string[];
                    number?: string[];
                    currency?: string[];
                    series?: string[];
                    fiscal_status?: components["schemas"]["FiscalStatus"][];
                    corrects?: string[];
                    created_from?: string;
                    created_to?: string;
                    issue_from?: string;
                    issue_to?: string;
                    fiscal_deadline_to?: string;
                    q?: string;
                    sort?: components["schemas"]["DocumentSort"];
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReceiptList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateReceipt"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Receipt"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/receipts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Receipt"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/receipts/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HistoryEntryList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/receipts/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AttemptEntryList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/receipts/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DocumentFile"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/receipts/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DocumentFile"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/receipts/{id}/resubmit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SubmitDocument"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Receipt"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/receipts/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["VoidReceipt"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Receipt"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/receipts/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResolveDocument"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Submission"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    email?: string[];
                    tax_id?: string[];
                    q?: string;
                    deleted?: "true" | "false" | "all";
                    sort?: components["schemas"]["CatalogSort"];
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CustomerList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateCustomer"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Customer"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/customers/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateCustomerBatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CustomerBatchResult"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Customer"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Customer"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["UpdateCustomer"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Customer"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/v1/customers/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["EmptyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Customer"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    sku?: string[];
                    active?: boolean;
                    q?: string;
                    sort?: components["schemas"]["CatalogSort"];
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProductList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateProduct"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Product"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/products/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateProductBatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProductBatchResult"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Product"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Product"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["UpdateProduct"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Product"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/v1/issuer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Issuer"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["UpdateIssuer"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Issuer"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/v1/issuer/devices/{code}/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    code: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["RegisterDevice"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Device"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/fiscal-credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FiscalCredentials"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PutFiscalCredentials"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FiscalCredentials"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FiscalCredentials"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/fiscal-credentials/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["EmptyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FiscalCredentialsCheck"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/fiscal-credentials/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["EmptyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FiscalCredentials"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReportTypeList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/reports/{report}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    from?: string;
                    to?: string;
                    as_of?: string;
                    known_at?: string;
                    currency?: string;
                    kind?: components["schemas"]["ReportKind"];
                    cite?: boolean;
                    group_by?: components["schemas"]["Grouping"];
                    format?: components["schemas"]["ReportFormat"];
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path: {
                    report: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Report"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/customers/{id}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    as_of?: string;
                    currency?: string;
                    format?: components["schemas"]["StatementFormat"];
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Statement"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Account"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKeyList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKey"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKey"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["UpdateApiKey"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKey"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    status?: string[];
                    method?: ("GET" | "POST" | "PUT" | "PATCH" | "DELETE")[];
                    path?: string;
                    key_id?: string;
                    code?: string[];
                    from?: string;
                    to?: string;
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RequestList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    deleted?: "true" | "false";
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookEndpointList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateWebhook"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["UpdateWebhook"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/console/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["RotateSecret"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TestWebhook"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Delivery"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/webhooks/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["EmptyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["RecoverWebhook"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recovery"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    status?: components["schemas"]["DeliveryStatus"][];
                    event_type?: components["schemas"]["EventName"][];
                    event_id?: string[];
                    resource_id?: string[];
                    created_from?: string;
                    created_to?: string;
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveryList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/webhooks/{id}/deliveries/{whd}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    whd: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Delivery"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/webhooks/{id}/deliveries/{whd}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    whd: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["EmptyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Delivery"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    type?: components["schemas"]["EventName"][];
                    resource_id?: string[];
                    created_from?: string;
                    created_to?: string;
                    after?: string;
                    wait?: number;
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/events/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveryList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/v1/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventTypeList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        SignIn: {
            email?: string;
            password?: string;
            code?: string;
            token?: string;
        };
        Session: {
            /** @constant */
            object: "session";
            user: components["schemas"]["ConsoleUser"];
            accounts: components["schemas"]["SessionAccount"][];
            must_set_password: boolean;
            must_enter_code: boolean;
            must_set_totp: boolean;
        };
        ConsoleUser: {
            id: string;
            email: string;
            name: string | null;
            language: string | null;
            totp: boolean;
        };
        SessionAccount: {
            id: string;
            name: string;
            role: components["schemas"]["AnyRole"];
            current: boolean;
        };
        AnyRole: string;
        Done: {
            done: boolean;
        };
        ChooseAccount: {
            account: string;
        };
        SetTill: {
            unit: string;
            device: string;
        };
        Till: {
            unit: string;
            device: string;
            operator: string | null;
        };
        StepUp: {
            password?: string;
            code?: string;
        };
        SteppedUp: {
            until: string;
        };
        OpenSessionList: {
            data: components["schemas"]["OpenSession"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        OpenSession: {
            id: string;
            created_at: string;
            last_used_at: string;
            ip: string;
            user_agent: string | null;
            current: boolean;
        };
        ListMeta: {
            current_page: number;
            per_page: number;
            total: number;
            last_page: number;
        };
        ListLinks: {
            first: string;
            last: string;
            prev: string | null;
            next: string | null;
        };
        Me: {
            session_id: string;
            user: components["schemas"]["ConsoleUser"];
            member: components["schemas"]["Member"];
            account: components["schemas"]["ConsoleAccount"];
            permissions: components["schemas"]["EnvironmentPermissions"];
            personal_data: components["schemas"]["EnvironmentFlags"];
            till: components["schemas"]["Till"] | null;
            must_set_password: boolean;
            must_set_totp: boolean;
        };
        Member: {
            id: string;
            email: string;
            name: string | null;
            role: components["schemas"]["AnyRole"];
            disabled: boolean;
            operator: string | null;
            joined_at: string | null;
            deleted_at: string | null;
            version: number;
        };
        ConsoleAccount: {
            id: string;
            /** @constant */
            object: "account";
            name: string;
            plan: components["schemas"]["AnyPlan"];
            limits: components["schemas"]["Limits"];
            require_totp: boolean;
            suspended: boolean;
            created_at: string;
            updated_at: string;
        };
        AnyPlan: string;
        Limits: {
            plan: number;
            burst: number;
            submit: number;
            receipts: number;
            reports: number;
            storage?: number;
        };
        EnvironmentPermissions: {
            live: string[];
            test: string[];
        };
        EnvironmentFlags: {
            live: boolean;
            test: boolean;
        };
        UpdateMe: {
            name?: string;
            email?: string;
            language?: string;
            password?: components["schemas"]["ChangePassword"];
        };
        ChangePassword: {
            current?: string;
            new: string;
        };
        EmptyBody: Record<string, unknown>;
        TotpSecret: {
            secret: string;
            otpauth_url: string;
        };
        ConfirmTotp: {
            code: string;
        };
        RecoveryCodes: {
            recovery_codes: string[];
        };
        UpdateAccount: {
            name?: string;
            require_totp?: boolean;
        };
        Usage: {
            limits: components["schemas"]["UsedLimit"][];
            requests: components["schemas"]["RequestsOfDay"][];
            storage: components["schemas"]["StoredBytes"];
        };
        UsedLimit: {
            name: string;
            size: number;
            used: number;
            reset: string;
        };
        RequestsOfDay: {
            day: string;
            count: number;
        };
        StoredBytes: {
            bytes: number;
            quota: number | null;
        };
        MemberList: {
            data: components["schemas"]["Member"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        InviteMember: {
            email: string;
            name?: string;
            role: components["schemas"]["Role"];
        };
        /** @enum {string} */
        Role: "owner" | "admin" | "developer" | "accountant" | "cashier" | "viewer";
        InvitedMember: {
            invitation_url: string;
            id: string;
            email: string;
            name: string | null;
            role: components["schemas"]["AnyRole"];
            disabled: boolean;
            operator: string | null;
            joined_at: string | null;
            deleted_at: string | null;
            version: number;
        };
        UpdateMember: {
            role?: components["schemas"]["Role"];
            disabled?: boolean;
            operator?: string | null;
        };
        RemovedMember: {
            keys: components["schemas"]["NamedKey"][];
            id: string;
            email: string;
            name: string | null;
            role: components["schemas"]["AnyRole"];
            disabled: boolean;
            operator: string | null;
            joined_at: string | null;
            deleted_at: string | null;
            version: number;
        };
        NamedKey: {
            id: string;
            name: string;
        };
        ResetLink: {
            reset_url: string;
        };
        ConsoleKeyList: {
            data: components["schemas"]["ConsoleKey"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        ConsoleKey: {
            id: string;
            /** @constant */
            object: "api_key";
            livemode: boolean;
            name: string;
            start: string;
            permissions: components["schemas"]["AnyGrant"][];
            allowed_ips: string[] | null;
            personal_data: boolean;
            created_by: components["schemas"]["ConsoleActor"] | null;
            created_at: string;
            updated_at: string;
            version: number;
            last_used_at: string | null;
            last_used_ip: string | null;
            expires_at: string | null;
            previous_expires_at: string | null;
            deleted_at: string | null;
            key?: string;
        };
        AnyGrant: string;
        ConsoleActor: {
            type: string;
            id: string | null;
            name: string | null;
        };
        CreateApiKey: {
            name: string;
            livemode: boolean;
            permissions: string[];
            expires_at?: string | null;
            allowed_ips?: string[] | null;
        };
        ChangeApiKey: {
            name?: string;
            permissions?: string[];
            expires_at?: string | null;
            allowed_ips?: string[] | null;
        };
        RotateKey: {
            grace_period_seconds?: number;
        };
        AuditEntryList: {
            data: components["schemas"]["AuditEntry"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        AuditEntry: {
            id: string;
            at: string;
            actor: components["schemas"]["ConsoleActor"];
            action: string;
            target: components["schemas"]["AuditTarget"];
            changes: Record<string, unknown>;
            via: string | null;
            ip: string | null;
            request_id: string | null;
        };
        AuditTarget: {
            type: string;
            id: string | null;
            name: string | null;
        };
        LiveSetup: {
            live: components["schemas"]["Setup"];
        };
        Setup: {
            ready: boolean;
            steps: components["schemas"]["SetupStep"][];
        };
        SetupStep: {
            id: components["schemas"]["AnySetupStep"];
            done: boolean;
            missing: components["schemas"]["MissingSetting"][];
        };
        AnySetupStep: string;
        MissingSetting: {
            field: string;
            rule: string;
            message: string;
        };
        IssuerBasics: {
            time_zone: string;
            currency: string;
            prices_include_tax: boolean;
            rounding: components["schemas"]["AnyRounding"];
            default_tax_rate: string | null;
            authorities: string[];
            units: components["schemas"]["UnitTills"][];
        };
        AnyRounding: string;
        UnitTills: {
            code: string;
            devices: string[];
        };
        Today: {
            data: components["schemas"]["TodaySection"][];
        };
        TodaySection: {
            kind: string;
            count: number | null;
            oldest: string | null;
            rows: components["schemas"]["TodayRow"][];
        };
        TodayRow: {
            title: string;
            since: string;
            next: components["schemas"]["TodayStep"];
            document?: components["schemas"]["Named"];
            endpoint?: components["schemas"]["Named"];
            key?: components["schemas"]["Named"];
            certificate?: components["schemas"]["Named"];
        };
        TodayStep: {
            action: string;
            route: string;
        };
        Named: {
            id: string;
        };
        Counts: {
            of: string;
            by: string;
            counts: Record<string, unknown>;
        };
        Found: {
            data: components["schemas"]["FoundRow"][];
            too_many?: string[];
        };
        FoundRow: {
            kind: string;
            id: string;
            title: string;
        };
        TimelineEntryList: {
            data: components["schemas"]["TimelineEntry"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        TimelineEntry: {
            at: string;
            kind: string;
            title: string;
            actor: components["schemas"]["ConsoleActor"] | null;
            detail: Record<string, unknown>;
            request_id: string | null;
        };
        EndpointStats: {
            counted_from: string;
            data: components["schemas"]["HourOfEndpoint"][];
        };
        HourOfEndpoint: {
            at: string;
            succeeded: number;
            failed: number;
            p50: number | null;
            p95: number | null;
        };
        RequestsWithActors: {
            data: components["schemas"]["Request"][];
            actors: components["schemas"]["ConsoleActor"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        Request: {
            id: string;
            at?: string;
            method?: string;
            path?: string;
            status?: number;
            code?: string;
            message?: string;
            fields?: string[];
            key_id?: string | null;
            member_id?: string | null;
            duration_ms?: number;
            ip?: string;
            idempotency_key?: string | null;
            events?: Record<string, unknown>[];
        };
        RequestGroupList: {
            data: components["schemas"]["RequestGroup"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        RequestGroup: {
            code: string;
            route: string;
            field: string | null;
            count: number;
            last_at: string;
        };
        RequestWithActor: {
            actor?: components["schemas"]["ConsoleActor"];
            id: string;
            at?: string;
            method?: string;
            path?: string;
            status?: number;
            code?: string;
            message?: string;
            fields?: string[];
            key_id?: string | null;
            member_id?: string | null;
            duration_ms?: number;
            ip?: string;
            idempotency_key?: string | null;
            events?: Record<string, unknown>[];
        };
        UnfinishedForm: Record<string, unknown>;
        ExportList: {
            data: components["schemas"]["Export"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        Export: {
            id: string;
            /** @constant */
            object: "export";
            kind: components["schemas"]["AnyExportKind"];
            from: string;
            to: string;
            bytes: number;
            missing_count: number;
            missing: components["schemas"]["JobFailure"][];
            expires_at: string | null;
            url: string | null;
            status: components["schemas"]["AnyJobStatus"];
            done: number;
            total: number;
            reason: components["schemas"]["JobReason"] | null;
            created_by: components["schemas"]["ConsoleActor"];
            created_at: string;
            ended_at: string | null;
        };
        AnyExportKind: string;
        JobFailure: {
            id: string;
            code: string;
            message: string;
        };
        AnyJobStatus: string;
        JobReason: {
            code: string;
            message: string;
        };
        CreateExport: {
            kind: components["schemas"]["ExportKind"];
            from: string;
            to: string;
            types?: string[];
            customer_id?: string;
            statuses?: string[];
            payment_statuses?: string[];
            fiscal_statuses?: string[];
            currencies?: string[];
            series?: string[];
            numbers?: string[];
            corrects?: string[];
            due_from?: string;
            due_to?: string;
            created_from?: string;
            created_to?: string;
            q?: string;
        };
        /** @enum {string} */
        ExportKind: "pdf" | "ubl" | "csv" | "jsonl";
        SubmissionsList: {
            data: components["schemas"]["Submissions"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        Submissions: {
            id: string;
            /** @constant */
            object: "submissions";
            failed_count: number;
            failed: components["schemas"]["JobFailure"][];
            status: components["schemas"]["AnyJobStatus"];
            done: number;
            total: number;
            reason: components["schemas"]["JobReason"] | null;
            created_by: components["schemas"]["ConsoleActor"];
            created_at: string;
            ended_at: string | null;
        };
        CreateSubmissions: {
            ids: string[];
        };
        /** @enum {string} */
        InvoiceStatus: "draft" | "submitting" | "submitted" | "failed" | "voiding" | "voided";
        /** @enum {string} */
        DocumentType: "standard" | "credit_note" | "corrective";
        /** @enum {string} */
        PaymentStatus: "unpaid" | "partial" | "paid";
        /** @enum {string} */
        FiscalStatus: "pending" | "unknown" | "registered" | "rejected" | "needs_review" | "cancelled";
        /** @enum {string} */
        DocumentSort: "created_at" | "-created_at" | "issue_date" | "-issue_date" | "number" | "-number" | "total" | "-total";
        InvoiceList: {
            data: components["schemas"]["Invoice"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        Invoice: {
            id: string;
            /** @constant */
            object: "invoice";
            type: components["schemas"]["AnyDocumentType"];
            status: components["schemas"]["AnyInvoiceStatus"];
            available_actions: components["schemas"]["AnyInvoiceAction"][];
            unavailable_actions?: components["schemas"]["UnavailableInvoiceActions"];
            customer_id: string;
            customer_name?: string | null;
            warnings?: components["schemas"]["Warning"][];
            customer: components["schemas"]["FrozenCustomer"] | null;
            issuer: components["schemas"]["FrozenIssuer"] | null;
            items: components["schemas"]["Item"][];
            discounts: components["schemas"]["Adjustment"][];
            charges: components["schemas"]["Adjustment"][];
            currency: string;
            prices_include_tax: boolean;
            rounding: components["schemas"]["AnyRounding"];
            series: string;
            issue_date: string | null;
            due_date: string | null;
            issued_at: string | null;
            number: string | null;
            corrects: string | null;
            notes: string | null;
            subtotal: string;
            discount_total: string;
            charge_total: string;
            tax_total: string;
            retained_total: string;
            total: string;
            amount_paid: string;
            amount_credited: string;
            amount_due: string;
            payment_status: components["schemas"]["AnyPaymentStatus"] | null;
            tax_breakdown: components["schemas"]["TaxBreakdown"][];
            fiscal_code: string | null;
            fiscal: components["schemas"]["Fiscal"] | null;
            supply_date?: string | null;
            payment_method?: components["schemas"]["AnyPaymentMethod"] | null;
            unit?: string | null;
            device?: string | null;
            operator?: string | null;
            correction_code?: components["schemas"]["AnyCorrectionCode"] | null;
            voids?: string | null;
            exchange_rate?: string | null;
            void: components["schemas"]["InvoiceVoid"] | null;
            livemode: boolean;
            created_at: string;
            updated_at: string;
            version: number;
            metadata: {
                [key: string]: string;
            };
        };
        AnyDocumentType: string;
        AnyInvoiceStatus: string;
        AnyInvoiceAction: string;
        UnavailableInvoiceActions: {
            update?: string;
            submit?: string;
            void?: string;
            resolve?: string;
            record_payment?: string;
        };
        Warning: {
            field: string;
            code: string;
            message: string;
        };
        FrozenCustomer: {
            id: string;
            name: string | null;
            email: string | null;
            phone: string | null;
            tax_id: string | null;
            tax_id_kind?: components["schemas"]["AnyTaxIdKind"] | null;
            kind?: components["schemas"]["AnyCustomerKind"] | null;
            tax_ids?: components["schemas"]["TaxId"][];
            language: string | null;
            address: components["schemas"]["Address"] | null;
        };
        AnyTaxIdKind: string;
        AnyCustomerKind: string;
        TaxId: {
            country: string;
            value: string;
            kind: components["schemas"]["AnyTaxIdKind"];
        };
        Address: {
            line1?: string | null;
            line2?: string | null;
            city?: string | null;
            postal_code?: string | null;
            region?: string | null;
            country?: string | null;
        };
        FrozenIssuer: {
            id?: string;
            legal_name: string | null;
            trade_name: string | null;
            tax_id: string | null;
            vat_registered: boolean;
            address: components["schemas"]["Address"] | null;
            country: string | null;
            currency?: string | null;
            time_zone: string | null;
            language?: string | null;
            default_tax_rate?: string | null;
            units?: components["schemas"]["Unit"][];
            devices?: components["schemas"]["FrozenDevice"][];
            operators?: components["schemas"]["Operator"][];
            software_code?: string | null;
            installation?: string;
            tax_regime?: string;
            authority: string | null;
        };
        Unit: {
            code: string;
            address?: components["schemas"]["Address"] | null;
            devices?: string[];
        };
        FrozenDevice: {
            code: string;
            unit: string;
            internal_id: string;
            authority_code: string | null;
            type: components["schemas"]["AnyDeviceType"];
            maintainer_code: string | null;
            valid_from: string | null;
            valid_to: string | null;
            initial_amount: string;
        };
        AnyDeviceType: string;
        Operator: {
            code: string;
            name: string;
        };
        Item: {
            product_id: string | null;
            description: string | null;
            quantity: string;
            unit: string;
            unit_price: string;
            discounts: components["schemas"]["Adjustment"][];
            charges: components["schemas"]["Adjustment"][];
            discount_amount: string;
            charge_amount: string;
            taxes: components["schemas"]["Tax"][];
            amount: string;
        };
        Adjustment: {
            percent?: string | null;
            amount?: string | null;
            reason?: string | null;
            taxes?: components["schemas"]["Tax"][] | null;
        };
        Tax: {
            category: string;
            rate: string;
            code: components["schemas"]["AnyTaxCode"];
            exemption_reason?: string | null;
            exemption_code?: string | null;
            retained?: boolean;
            surcharge?: string | null;
        };
        AnyTaxCode: string;
        AnyPaymentStatus: string;
        TaxBreakdown: {
            category: string;
            code: components["schemas"]["AnyTaxCode"];
            rate: string;
            retained: boolean;
            base: string;
            amount: string;
            exemption_reason?: string | null;
            surcharge?: components["schemas"]["Surcharge"] | null;
        };
        Surcharge: {
            rate: string;
            amount: string;
        };
        Fiscal: {
            authority: string;
            status: components["schemas"]["AnyFiscalStatus"];
            code: string | null;
            issuer_code: string | null;
            registered_at: string | null;
            verification_url: string | null;
            code_kind?: components["schemas"]["AnyFiscalCodeKind"];
            warnings?: components["schemas"]["FiscalWarning"][];
            deadline_at?: string;
            next?: components["schemas"]["NextStep"];
            late: boolean;
            attempts: number;
            last_attempt_at: string | null;
            next_attempt_at: string | null;
            error: components["schemas"]["FiscalError"] | null;
        };
        AnyFiscalStatus: string;
        AnyFiscalCodeKind: string;
        FiscalWarning: {
            code: string;
            message: string;
        };
        NextStep: {
            operation: components["schemas"]["AnyNextOperation"];
            reason: string;
            closed: components["schemas"]["ClosedOperations"];
        };
        AnyNextOperation: string;
        ClosedOperations: {
            submit?: string;
            void?: string;
            corrective?: string;
            credit_note?: string;
        };
        FiscalError: {
            code: string;
            message: string;
            fixable?: components["schemas"]["AnyFixable"] | null;
        };
        AnyFixable: string;
        AnyPaymentMethod: string;
        AnyCorrectionCode: string;
        InvoiceVoid: {
            document_id: string | null;
            reason: string | null;
            requested_at: string;
            voided_at: string | null;
            error: components["schemas"]["VoidError"] | null;
        };
        VoidError: {
            code: string;
            message: string;
        };
        CreateInvoice: {
            customer_id: string;
            payment_method?: components["schemas"]["PaymentMethod"] | null;
            unit?: string | null;
            device?: string | null;
            operator?: string | null;
            correction_code?: components["schemas"]["CorrectionCode"] | null;
            type?: components["schemas"]["DocumentType"];
            items: components["schemas"]["ItemInput"][];
            discounts?: components["schemas"]["AdjustmentInput"][] | null;
            charges?: components["schemas"]["AdjustmentInput"][] | null;
            currency?: string;
            prices_include_tax?: boolean;
            rounding?: components["schemas"]["Rounding"];
            series?: string;
            issue_date?: string | null;
            due_date?: string | null;
            supply_date?: string | null;
            exchange_rate?: components["schemas"]["Decimal"] | null;
            corrects?: string | null;
            notes?: string | null;
            metadata?: {
                [key: string]: string;
            };
        };
        /** @enum {string} */
        PaymentMethod: "cash" | "card" | "check" | "transfer" | "voucher" | "other";
        /** @enum {string} */
        CorrectionCode: "R1" | "R2" | "R3" | "R4";
        ItemInput: {
            product_id?: string | null;
            description?: string | null;
            quantity?: components["schemas"]["Decimal"];
            unit?: string;
            unit_price?: components["schemas"]["Decimal"];
            discounts?: components["schemas"]["AdjustmentInput"][] | null;
            charges?: components["schemas"]["AdjustmentInput"][] | null;
            taxes?: components["schemas"]["TaxInput"][] | null;
            tax_rate?: components["schemas"]["Decimal"] | null;
        };
        Decimal: string;
        AdjustmentInput: {
            percent?: components["schemas"]["Decimal"];
            amount?: components["schemas"]["Decimal"];
            reason?: string | null;
            taxes?: components["schemas"]["TaxInput"][] | null;
        };
        TaxInput: {
            category?: string;
            rate: components["schemas"]["Decimal"];
            code?: components["schemas"]["TaxCode"];
            exemption_reason?: string | null;
            exemption_code?: string | null;
            retained?: boolean;
            surcharge?: components["schemas"]["Decimal"] | null;
        };
        /** @enum {string} */
        TaxCode: "S" | "Z" | "E" | "AE" | "K" | "G" | "O";
        /** @enum {string} */
        Rounding: "line" | "precise";
        PreviewInvoice: {
            customer_id?: string;
            payment_method?: components["schemas"]["PaymentMethod"] | null;
            unit?: string | null;
            device?: string | null;
            operator?: string | null;
            correction_code?: components["schemas"]["CorrectionCode"] | null;
            type?: components["schemas"]["DocumentType"];
            items: components["schemas"]["ItemInput"][];
            discounts?: components["schemas"]["AdjustmentInput"][] | null;
            charges?: components["schemas"]["AdjustmentInput"][] | null;
            currency?: string;
            prices_include_tax?: boolean;
            rounding?: components["schemas"]["Rounding"];
            series?: string;
            issue_date?: string | null;
            due_date?: string | null;
            supply_date?: string | null;
            exchange_rate?: components["schemas"]["Decimal"] | null;
            corrects?: string | null;
            notes?: string | null;
            metadata?: {
                [key: string]: string;
            };
        };
        Preview: {
            /** @constant */
            object: "invoice_preview";
            livemode: boolean;
            type: components["schemas"]["AnyDocumentType"];
            items: components["schemas"]["Item"][];
            discounts: components["schemas"]["Adjustment"][];
            charges: components["schemas"]["Adjustment"][];
            currency: string;
            prices_include_tax: boolean;
            rounding: components["schemas"]["AnyRounding"];
            subtotal: string;
            discount_total: string;
            charge_total: string;
            tax_total: string;
            retained_total: string;
            total: string;
            amount_due: string;
            tax_breakdown: components["schemas"]["TaxBreakdown"][];
            warnings: components["schemas"]["Warning"][];
            explanation?: components["schemas"]["ExplanationStep"][];
            explanation_left_out?: number;
        };
        ExplanationStep: {
            step: string;
            field: string;
            calculation: string;
            result: string;
            rule: string;
        };
        CreateInvoiceBatch: {
            requests: components["schemas"]["CreateInvoice"][];
        };
        InvoiceBatchResult: {
            /** @constant */
            object: "batch";
            succeeded: number;
            failed: number;
            data: components["schemas"]["InvoiceBatchEntry"][];
        };
        InvoiceBatchEntry: {
            index: number;
            status: number;
            resource?: components["schemas"]["Invoice"];
            error?: components["schemas"]["ErrorBody"];
        };
        ErrorBody: {
            code: string;
            message: string;
            details?: {
                [key: string]: string[];
            };
            issues?: components["schemas"]["ErrorIssue"][];
            request_id: string;
        };
        ErrorIssue: {
            field: string;
            rule: string;
            params: Record<string, unknown>;
        };
        SubmitInvoices: {
            ids: string[];
        };
        UpdateInvoice: {
            customer_id?: string;
            items?: components["schemas"]["ItemInput"][];
            discounts?: components["schemas"]["AdjustmentInput"][] | null;
            charges?: components["schemas"]["AdjustmentInput"][] | null;
            currency?: string;
            prices_include_tax?: boolean;
            rounding?: components["schemas"]["Rounding"];
            series?: string;
            issue_date?: string | null;
            due_date?: string | null;
            supply_date?: string | null;
            exchange_rate?: components["schemas"]["Decimal"] | null;
            notes?: string | null;
            metadata?: {
                [key: string]: string | null;
            } | null;
            payment_method?: components["schemas"]["PaymentMethod"] | null;
            unit?: string | null;
            device?: string | null;
            operator?: string | null;
            correction_code?: components["schemas"]["CorrectionCode"] | null;
        };
        SubmitDocument: {
            late_reason?: string;
        };
        VoidDocument: {
            reason?: string;
        };
        PaymentList: {
            data: components["schemas"]["Payment"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        Payment: {
            id: string;
            /** @constant */
            object: "payment";
            livemode: boolean;
            invoice_id: string;
            amount: string;
            currency: string;
            paid_at: string;
            method: string | null;
            reference: string | null;
            metadata: {
                [key: string]: string;
            };
            created_at: string;
            updated_at?: string;
            deleted_at?: string | null;
        };
        CreatePayment: {
            amount: components["schemas"]["Decimal"];
            paid_at: string;
            method?: components["schemas"]["PaymentMethod"] | null;
            reference?: string | null;
            metadata?: {
                [key: string]: string;
            };
        };
        HistoryEntryList: {
            data: components["schemas"]["HistoryEntry"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        HistoryEntry: {
            version: number;
            type: components["schemas"]["AnyHistoryType"];
            at: string;
            actor: components["schemas"]["HistoryActor"];
            request_id: string | null;
            changes: Record<string, unknown>;
        };
        AnyHistoryType: string;
        HistoryActor: {
            type: string;
            id: string | null;
            name?: string;
        };
        AttemptEntryList: {
            data: components["schemas"]["AttemptEntry"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        AttemptEntry: {
            n: number;
            at: string;
            duration_ms: number | null;
            kind: components["schemas"]["AnyAttemptKind"];
            outcome: components["schemas"]["AnyAttemptOutcome"] | null;
            message_id: string | null;
            request_sha256: string | null;
            http_status: number | null;
            error: components["schemas"]["AttemptError"] | null;
            warnings?: components["schemas"]["AttemptWarning"][];
        };
        AnyAttemptKind: string;
        AnyAttemptOutcome: string;
        AttemptError: {
            code: string;
            message: string;
        };
        AttemptWarning: {
            code: string;
            message: string;
        };
        ResolveDocument: {
            /** @enum {string} */
            outcome: "registered" | "not_registered";
            code?: string;
            note: string;
        };
        Submission: {
            /** @constant */
            object: "submission";
            document_id: string;
            status: string;
        };
        DocumentFile: {
            /** @constant */
            object: "file";
            url: string;
            expires_at: string;
        };
        UblFile: {
            conforms: boolean;
            missing: components["schemas"]["MissingData"][];
            /** @constant */
            object: "file";
            url: string;
            expires_at: string;
        };
        MissingData: {
            rule: string;
            field: string;
            message: string;
        };
        /** @enum {string} */
        ReceiptStatus: "issued" | "voiding" | "voided";
        ReceiptList: {
            data: components["schemas"]["Receipt"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        Receipt: {
            id: string;
            /** @constant */
            object: "receipt";
            type?: components["schemas"]["AnyReceiptType"];
            corrects?: string | null;
            status: components["schemas"]["AnyReceiptStatus"];
            available_actions: components["schemas"]["AnyReceiptAction"][];
            unavailable_actions?: components["schemas"]["UnavailableReceiptActions"];
            customer_id: string | null;
            customer: components["schemas"]["FrozenCustomer"] | null;
            issuer: components["schemas"]["FrozenIssuer"] | null;
            items: components["schemas"]["Item"][];
            discounts?: components["schemas"]["Adjustment"][];
            charges?: components["schemas"]["Adjustment"][];
            currency: string;
            prices_include_tax: boolean;
            rounding: components["schemas"]["AnyRounding"];
            series: string;
            issue_date: string;
            issued_at: string;
            number: string;
            payment_method: components["schemas"]["AnyPaymentMethod"] | null;
            payments: components["schemas"]["ReceiptPayment"][];
            unit: string | null;
            device: string | null;
            operator: string | null;
            notes: string | null;
            subtotal: string;
            discount_total: string;
            charge_total: string;
            tax_total: string;
            retained_total: string;
            total: string;
            tax_breakdown: components["schemas"]["TaxBreakdown"][];
            fiscal_code: string | null;
            fiscal: components["schemas"]["Fiscal"] | null;
            void: components["schemas"]["ReceiptVoid"] | null;
            livemode: boolean;
            created_at: string;
            updated_at: string;
            version: number;
            metadata: {
                [key: string]: string;
            };
        };
        AnyReceiptType: string;
        AnyReceiptStatus: string;
        AnyReceiptAction: string;
        UnavailableReceiptActions: {
            resubmit?: string;
            void?: string;
            resolve?: string;
        };
        ReceiptPayment: {
            method: components["schemas"]["AnyPaymentMethod"];
            amount: string;
        };
        ReceiptVoid: {
            document_id: string | null;
            reason: string | null;
            requested_at: string;
            voided_at: string | null;
            error: components["schemas"]["VoidError"] | null;
        };
        CreateReceipt: {
            items: components["schemas"]["ItemInput"][];
            payment_method?: components["schemas"]["PaymentMethod"];
            payments?: components["schemas"]["ReceiptPaymentInput"][];
            customer_id?: string | null;
            currency?: string;
            prices_include_tax?: boolean;
            unit?: string | null;
            device?: string | null;
            operator?: string | null;
            notes?: string | null;
            late_reason?: string;
            metadata?: {
                [key: string]: string;
            };
        };
        ReceiptPaymentInput: {
            method: components["schemas"]["PaymentMethod"];
            amount: components["schemas"]["Decimal"];
        };
        VoidReceipt: {
            reason: string;
        };
        /** @enum {string} */
        CatalogSort: "created_at" | "-created_at" | "name" | "-name";
        CustomerList: {
            data: components["schemas"]["Customer"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        Customer: {
            id: string;
            /** @constant */
            object: "customer";
            name: string | null;
            email: string | null;
            phone: string | null;
            tax_id: string | null;
            tax_id_kind?: components["schemas"]["AnyTaxIdKind"] | null;
            kind?: components["schemas"]["AnyCustomerKind"] | null;
            tax_ids?: components["schemas"]["TaxId"][];
            language: string | null;
            address: components["schemas"]["Address"] | null;
            deleted_at: string | null;
            erased_at: string | null;
            livemode: boolean;
            created_at: string;
            updated_at: string;
            version: number;
            metadata: {
                [key: string]: string;
            };
        };
        CreateCustomer: {
            name: string;
            email?: string | null;
            phone?: string | null;
            tax_id?: string | null;
            tax_id_kind?: components["schemas"]["TaxIdKind"] | null;
            kind?: components["schemas"]["CustomerKind"] | null;
            tax_ids?: components["schemas"]["TaxIdInput"][] | null;
            language?: string | null;
            address?: components["schemas"]["AddressInput"] | null;
            metadata?: {
                [key: string]: string;
            };
        };
        /** @enum {string} */
        TaxIdKind: "vat" | "national" | "passport" | "other";
        /** @enum {string} */
        CustomerKind: "business" | "person";
        TaxIdInput: {
            country: string;
            value: string;
            kind: components["schemas"]["TaxIdKind"];
        };
        AddressInput: {
            line1?: string | null;
            line2?: string | null;
            city?: string | null;
            postal_code?: string | null;
            region?: string | null;
            country?: string | null;
        };
        CreateCustomerBatch: {
            requests: components["schemas"]["CreateCustomer"][];
        };
        CustomerBatchResult: {
            /** @constant */
            object: "batch";
            succeeded: number;
            failed: number;
            data: components["schemas"]["CustomerBatchEntry"][];
        };
        CustomerBatchEntry: {
            index: number;
            status: number;
            resource?: components["schemas"]["Customer"];
            error?: components["schemas"]["ErrorBody"];
        };
        UpdateCustomer: {
            name?: string;
            email?: string | null;
            phone?: string | null;
            tax_id?: string | null;
            tax_id_kind?: components["schemas"]["TaxIdKind"] | null;
            kind?: components["schemas"]["CustomerKind"] | null;
            tax_ids?: components["schemas"]["TaxIdInput"][] | null;
            language?: string | null;
            address?: components["schemas"]["AddressInput"] | null;
            metadata?: {
                [key: string]: string | null;
            } | null;
        };
        ProductList: {
            data: components["schemas"]["Product"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        Product: {
            id: string;
            /** @constant */
            object: "product";
            name: string;
            description: string | null;
            sku: string | null;
            unit: string;
            unit_price: string | null;
            currency: string | null;
            taxes: components["schemas"]["Tax"][] | null;
            active: boolean;
            deleted_at: string | null;
            livemode: boolean;
            created_at: string;
            updated_at: string;
            version: number;
            metadata: {
                [key: string]: string;
            };
        };
        CreateProduct: {
            name: string;
            description?: string | null;
            sku?: string | null;
            unit?: string;
            unit_price?: components["schemas"]["Decimal"] | null;
            currency?: string | null;
            taxes?: components["schemas"]["TaxInput"][] | null;
            tax_rate?: components["schemas"]["Decimal"] | null;
            active?: boolean;
            metadata?: {
                [key: string]: string;
            };
        };
        CreateProductBatch: {
            requests: components["schemas"]["CreateProduct"][];
        };
        ProductBatchResult: {
            /** @constant */
            object: "batch";
            succeeded: number;
            failed: number;
            data: components["schemas"]["ProductBatchEntry"][];
        };
        ProductBatchEntry: {
            index: number;
            status: number;
            resource?: components["schemas"]["Product"];
            error?: components["schemas"]["ErrorBody"];
        };
        UpdateProduct: {
            name?: string;
            description?: string | null;
            sku?: string | null;
            unit?: string;
            unit_price?: components["schemas"]["Decimal"] | null;
            currency?: string | null;
            taxes?: components["schemas"]["TaxInput"][] | null;
            tax_rate?: components["schemas"]["Decimal"] | null;
            active?: boolean;
            metadata?: {
                [key: string]: string | null;
            } | null;
        };
        Issuer: {
            id: string;
            /** @constant */
            object: "issuer";
            legal_name: string | null;
            trade_name: string | null;
            tax_id: string | null;
            vat_registered: boolean;
            address: components["schemas"]["Address"] | null;
            country: string | null;
            currency: string;
            time_zone: string;
            language: string | null;
            default_tax_rate: string | null;
            prices_include_tax: boolean;
            rounding: components["schemas"]["AnyRounding"];
            series: components["schemas"]["SeriesSet"];
            units: components["schemas"]["Unit"][];
            devices: components["schemas"]["Device"][];
            operators: components["schemas"]["Operator"][];
            software_code: string | null;
            installation: string | null;
            tax_regime: string | null;
            authority: string | null;
            setup: components["schemas"]["Setup"];
            livemode: boolean;
            created_at: string;
            updated_at: string;
            version: number;
            metadata: {
                [key: string]: string;
            };
        };
        SeriesSet: {
            standard: components["schemas"]["Series"];
            credit_note: components["schemas"]["Series"];
            corrective: components["schemas"]["Series"];
            receipt: components["schemas"]["Series"];
        };
        Series: {
            code: string;
            format: string;
            start: number;
        };
        Device: {
            state: components["schemas"]["AnyDeviceState"];
            error: components["schemas"]["DeviceError"] | null;
            code: string;
            unit: string;
            internal_id: string;
            authority_code: string | null;
            type: components["schemas"]["AnyDeviceType"];
            maintainer_code: string | null;
            valid_from: string | null;
            valid_to: string | null;
            initial_amount: string;
        };
        AnyDeviceState: string;
        DeviceError: {
            code: string;
            message: string;
            fixable: components["schemas"]["AnyFixable"] | null;
        };
        UpdateIssuer: {
            legal_name?: string | null;
            trade_name?: string | null;
            tax_id?: string | null;
            vat_registered?: boolean;
            address?: components["schemas"]["AddressInput"] | null;
            country?: string | null;
            currency?: string;
            time_zone?: string;
            language?: string;
            default_tax_rate?: components["schemas"]["Decimal"] | null;
            prices_include_tax?: boolean;
            rounding?: components["schemas"]["Rounding"];
            series?: components["schemas"]["SeriesSetInput"];
            units?: components["schemas"]["UnitInput"][];
            devices?: components["schemas"]["DeviceInput"][];
            operators?: components["schemas"]["OperatorInput"][];
            software_code?: string | null;
            installation?: string | null;
            tax_regime?: string | null;
            /** @enum {string|null} */
            authority?: "sandbox" | "al-cis" | "es-verifactu" | "me-efi" | null;
            metadata?: {
                [key: string]: string | null;
            } | null;
        };
        SeriesSetInput: {
            standard?: components["schemas"]["SeriesInput"];
            credit_note?: components["schemas"]["SeriesInput"];
            corrective?: components["schemas"]["SeriesInput"];
            receipt?: components["schemas"]["SeriesInput"];
        };
        SeriesInput: {
            code?: string;
            format?: string;
            start?: number;
        };
        UnitInput: {
            code: string;
            address?: components["schemas"]["AddressInput"] | null;
            devices?: string[];
        };
        DeviceInput: {
            code: string;
            unit?: string;
            internal_id?: string | null;
            authority_code?: string | null;
            type?: components["schemas"]["DeviceType"];
            maintainer_code?: string | null;
            valid_from?: string | null;
            valid_to?: string | null;
            initial_amount?: components["schemas"]["Decimal"] | null;
        };
        /** @enum {string} */
        DeviceType: "regular" | "vending";
        OperatorInput: {
            code: string;
            name: string;
        };
        RegisterDevice: {
            unit?: string;
        };
        FiscalCredentials: {
            /** @constant */
            object: "fiscal_credentials";
            livemode: boolean;
            subject: string;
            serial: string;
            expires_at: string;
            fingerprint: string;
            successor?: components["schemas"]["CredentialsSuccessor"] | null;
            created_at?: string;
            updated_at?: string;
            deleted_at?: string | null;
        };
        CredentialsSuccessor: {
            subject: string;
            serial: string;
            expires_at: string;
            fingerprint: string;
            created_at: string;
        };
        PutFiscalCredentials: {
            certificate: string;
            passphrase: string;
            successor?: boolean;
        };
        FiscalCredentialsCheck: {
            /** @constant */
            object: "fiscal_credentials_check";
            livemode: boolean;
            authority: string | null;
            ready: boolean;
            checks: components["schemas"]["CredentialsCheck"][];
            checked_at: string;
        };
        CredentialsCheck: {
            id: components["schemas"]["AnyCredentialsCheckId"];
            outcome: components["schemas"]["AnyCredentialsCheckOutcome"];
            message: string;
        };
        AnyCredentialsCheckId: string;
        AnyCredentialsCheckOutcome: string;
        ReportTypeList: {
            data: components["schemas"]["ReportType"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        ReportType: {
            /** @constant */
            object: "report_type";
            report: components["schemas"]["AnyReportName"];
            description: string;
        };
        AnyReportName: string;
        /** @enum {string} */
        ReportKind: "invoices" | "receipts" | "all";
        /** @enum {string} */
        Grouping: "day" | "week" | "month" | "customer" | "product" | "payment_method" | "device" | "operator" | "unit" | "authority";
        /** @enum {string} */
        ReportFormat: "json" | "csv";
        Report: {
            /** @constant */
            object: "report";
            report: components["schemas"]["AnyReportName"];
            livemode: boolean;
            from: string;
            to: string;
            as_of: string;
            known_at?: string | null;
            time_zone: string;
            position: string | null;
            generated_at: string;
            open?: components["schemas"]["OpenDocuments"];
            complete?: boolean;
            gaps?: components["schemas"]["NumberGap"][];
            sha256?: string;
            data: components["schemas"]["ReportRow"][];
            totals: components["schemas"]["ReportTotal"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        OpenDocuments: {
            documents: number;
            oldest_issue_date: string | null;
        };
        NumberGap: {
            series_key: string;
            from_seq: number;
            to_seq: number;
            reason: components["schemas"]["AnyNumberGapReason"];
        };
        AnyNumberGapReason: string;
        ReportRow: components["schemas"]["SalesRow"] | components["schemas"]["TaxRow"] | components["schemas"]["ReceivablesRow"] | components["schemas"]["CustomersRow"] | components["schemas"]["ProductsRow"] | components["schemas"]["SubmissionsRow"] | components["schemas"]["NumberingRow"];
        SalesRow: {
            key: string | null;
            customer_name?: string | null;
            cited?: components["schemas"]["CitedDocument"][];
            currency: string;
            documents: number;
            subtotal: string;
            discount_total: string;
            tax_total: string;
            total: string;
        };
        CitedDocument: {
            id: string;
            number: string | null;
            amount: string;
            tax?: string;
            issuer_base?: string;
            issuer_tax?: string;
            paid?: string;
            due?: string;
        };
        TaxRow: {
            category: string;
            code: components["schemas"]["AnyTaxCode"];
            rate: string;
            customer_id?: string | null;
            customer_name?: string | null;
            customer_tax_id?: string | null;
            cited?: components["schemas"]["CitedDocument"][];
            currency: string;
            documents: number;
            base: string;
            tax: string;
            retained: string;
            issuer_base: string | null;
            issuer_tax: string | null;
        };
        ReceivablesRow: {
            customer_id: string | null;
            customer_name?: string | null;
            cited?: components["schemas"]["CitedDocument"][];
            currency: string;
            not_due: string;
            d1_30: string;
            d31_60: string;
            d61_90: string;
            over_90: string;
            total: string;
        };
        CustomersRow: {
            customer_id: string | null;
            customer_name?: string | null;
            cited?: components["schemas"]["CitedDocument"][];
            currency: string;
            documents: number;
            total: string;
            paid: string;
            due: string;
        };
        ProductsRow: {
            product_id: string;
            cited?: components["schemas"]["CitedDocument"][];
            currency: string;
            documents: number;
            quantity: string;
            net: string;
        };
        SubmissionsRow: {
            key: string;
            cited?: components["schemas"]["CitedDocument"][];
            submitted: number;
            registered: number;
            rejected: number;
            unknown: number;
            late: number;
            seconds_p50: string | null;
            seconds_p95: string | null;
        };
        NumberingRow: {
            series: string;
            series_key: string;
            number: string;
            seq: number;
            document_id: string;
            issued_at: string;
            fate: components["schemas"]["AnyNumberFate"];
            cited?: components["schemas"]["CitedDocument"][];
        };
        AnyNumberFate: string;
        ReportTotal: components["schemas"]["SalesTotal"] | components["schemas"]["TaxTotal"] | components["schemas"]["ReceivablesTotal"] | components["schemas"]["CustomersTotal"] | components["schemas"]["ProductsTotal"] | components["schemas"]["SubmissionsTotal"];
        SalesTotal: {
            subtotal: string;
            discount_total: string;
            tax_total: string;
            total: string;
            currency: string;
            documents: number;
        };
        TaxTotal: {
            base: string;
            tax: string;
            retained: string;
            issuer_base: string | null;
            issuer_tax: string | null;
            currency: string;
            documents: number;
        };
        ReceivablesTotal: {
            currency: string;
            not_due: string;
            d1_30: string;
            d31_60: string;
            d61_90: string;
            over_90: string;
            total: string;
        };
        CustomersTotal: {
            total: string;
            paid: string;
            due: string;
            currency: string;
            documents: number;
        };
        ProductsTotal: {
            quantity: string;
            net: string;
            currency: string;
            documents: number;
        };
        SubmissionsTotal: {
            submitted: number;
            registered: number;
            rejected: number;
            unknown: number;
            late: number;
            seconds_p50: string | null;
            seconds_p95: string | null;
        };
        /** @enum {string} */
        StatementFormat: "json" | "csv" | "pdf";
        Statement: {
            /** @constant */
            object: "statement";
            livemode: boolean;
            customer_id: string;
            customer_name: string | null;
            as_of: string;
            time_zone: string;
            position: string | null;
            generated_at: string;
            data: components["schemas"]["StatementItem"][];
            totals: components["schemas"]["StatementTotal"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        StatementItem: {
            document_id: string;
            number: string;
            issue_date: string;
            due_date: string;
            currency: string;
            total: string;
            due: string;
        };
        StatementTotal: {
            currency: string;
            total: string;
            due: string;
        };
        Account: {
            id: string;
            /** @constant */
            object: "account";
            livemode: boolean;
            name: string;
            plan: components["schemas"]["AnyPlan"];
            limits: components["schemas"]["Limits"];
            created_at?: string;
            updated_at?: string;
        };
        ApiKeyList: {
            data: components["schemas"]["ApiKey"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        ApiKey: {
            id: string;
            /** @constant */
            object: "api_key";
            livemode: boolean;
            name: string;
            start: string;
            permissions: components["schemas"]["AnyGrant"][];
            created_at: string;
            updated_at?: string;
            version?: number;
            last_used_at: string | null;
            expires_at: string | null;
            previous_expires_at: string | null;
            deleted_at: string | null;
            key?: string;
        };
        UpdateApiKey: {
            name?: string;
            permissions?: components["schemas"]["Grant"][];
            expires_at?: string | null;
        };
        /** @enum {string} */
        Grant: "invoices:read" | "invoices:write" | "invoices:submit" | "invoices:void" | "receipts:read" | "receipts:write" | "receipts:void" | "customers:read" | "customers:write" | "products:read" | "products:write" | "reports:read" | "webhooks:read" | "webhooks:write" | "api_keys:read" | "api_keys:write" | "settings:read" | "settings:write" | "*";
        RequestList: {
            data: components["schemas"]["Request"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        WebhookEndpointList: {
            data: components["schemas"]["WebhookEndpoint"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        WebhookEndpoint: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            url: string;
            events: components["schemas"]["AnyEventSubscription"][];
            description: string | null;
            status: components["schemas"]["AnyWebhookEndpointStatus"];
            disabled_reason: string | null;
            health: components["schemas"]["EndpointHealth"];
            recovery: components["schemas"]["EndpointRecovery"] | null;
            header_names: string[];
            rate_per_second: number | null;
            secret?: string;
            deleted_at?: string | null;
            livemode: boolean;
            created_at: string;
            updated_at: string;
            version: number;
            metadata: {
                [key: string]: string;
            };
        };
        AnyEventSubscription: string;
        AnyWebhookEndpointStatus: string;
        EndpointHealth: {
            status: components["schemas"]["AnyWebhookEndpointHealthStatus"];
            failing_since: string | null;
            disabled_after: string | null;
            last_success_at: string | null;
            last_error: string | null;
        };
        AnyWebhookEndpointHealthStatus: string;
        EndpointRecovery: {
            since: string;
            until: string;
            event_types: components["schemas"]["AnyEventName"][] | null;
            matched: number;
            created: number;
            delivered: number;
            failed: number;
            status: components["schemas"]["AnyWebhookRecoveryStatus"];
        };
        AnyEventName: string;
        AnyWebhookRecoveryStatus: string;
        CreateWebhook: {
            url: string;
            events: components["schemas"]["EventSubscription"][];
            description?: string | null;
            metadata?: {
                [key: string]: string;
            };
            headers?: {
                [key: string]: string;
            };
            rate_per_second?: number | null;
        };
        /** @enum {string} */
        EventSubscription: "invoice.created" | "invoice.updated" | "invoice.submitted" | "invoice.failed" | "invoice.voided" | "receipt.created" | "receipt.voided" | "customer.created" | "customer.updated" | "customer.deleted" | "*";
        WebhookEvent: components["schemas"]["InvoiceEvent"] | components["schemas"]["ReceiptEvent"] | components["schemas"]["CustomerEvent"];
        InvoiceEvent: {
            id: string;
            /** @constant */
            object: "event";
            type: components["schemas"]["AnyEventName"];
            created_at: string;
            livemode: boolean;
            sequence: number;
            data: components["schemas"]["Invoice"];
            test?: boolean;
        };
        ReceiptEvent: {
            id: string;
            /** @constant */
            object: "event";
            type: components["schemas"]["AnyEventName"];
            created_at: string;
            livemode: boolean;
            sequence: number;
            data: components["schemas"]["Receipt"];
            test?: boolean;
        };
        CustomerEvent: {
            id: string;
            /** @constant */
            object: "event";
            type: components["schemas"]["AnyEventName"];
            created_at: string;
            livemode: boolean;
            sequence: number;
            data: components["schemas"]["Customer"];
            test?: boolean;
        };
        UpdateWebhook: {
            url?: string;
            events?: components["schemas"]["EventSubscription"][];
            description?: string | null;
            status?: components["schemas"]["WebhookEndpointStatus"];
            metadata?: {
                [key: string]: string | null;
            } | null;
            headers?: {
                [key: string]: string | null;
            } | null;
            rate_per_second?: number | null;
        };
        /** @enum {string} */
        WebhookEndpointStatus: "enabled" | "disabled";
        RotateSecret: {
            grace_period_seconds?: number;
        };
        TestWebhook: {
            event_type: components["schemas"]["EventName"];
        };
        /** @enum {string} */
        EventName: "invoice.created" | "invoice.updated" | "invoice.submitted" | "invoice.failed" | "invoice.voided" | "receipt.created" | "receipt.voided" | "customer.created" | "customer.updated" | "customer.deleted";
        Delivery: {
            id: string;
            /** @constant */
            object: "webhook_delivery";
            livemode?: boolean;
            endpoint_id: string;
            event_id: string;
            event_type: components["schemas"]["AnyEventName"];
            status: components["schemas"]["AnyDeliveryStatus"];
            next_attempt_at: string | null;
            attempts: components["schemas"]["DeliveryAttempt"][];
            resource_id: string;
            created_at: string;
        };
        AnyDeliveryStatus: string;
        DeliveryAttempt: {
            n: number;
            at: string;
            duration_ms: number;
            trigger: components["schemas"]["AnyAttemptTrigger"];
            status_code: number | null;
            phases: components["schemas"]["AttemptPhases"] | null;
            error: string | null;
            response_body: string | null;
        };
        AnyAttemptTrigger: string;
        AttemptPhases: {
            resolve: number | null;
            connect: number | null;
            tls: number | null;
            wait: number | null;
            body: number | null;
        };
        RecoverWebhook: {
            since?: string;
            until?: string | null;
            event_types?: components["schemas"]["EventName"][] | null;
            dry_run?: boolean;
            stop?: boolean;
        };
        Recovery: {
            /** @constant */
            object: "recovery";
            matched: number;
            created: number;
            status: components["schemas"]["AnyWebhookRecoveryStatus"];
            counting?: boolean;
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "succeeded" | "failed" | "cancelled";
        DeliveryList: {
            data: components["schemas"]["Delivery"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        EventList: {
            data: components["schemas"]["Event"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        Event: {
            id: string;
            /** @constant */
            object: "event";
            type: components["schemas"]["AnyEventName"];
            created_at: string;
            livemode: boolean;
            sequence: number;
            data: Record<string, unknown>;
            test?: boolean;
        };
        EventTypeList: {
            data: components["schemas"]["EventType"][];
            meta: components["schemas"]["ListMeta"];
            links: components["schemas"]["ListLinks"];
        };
        EventType: {
            /** @constant */
            object: "event_type";
            type: components["schemas"]["AnyEventName"];
            description: string;
            version: number;
            schema: Record<string, unknown>;
            example: Record<string, unknown>;
        };
        Error: {
            error: components["schemas"]["ErrorBody"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
